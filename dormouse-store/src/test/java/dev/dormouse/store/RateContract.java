package dev.dormouse.store;

import static dev.dormouse.store.QueueAsk.LANE_A;
import static dev.dormouse.store.QueueAsk.QUEUE;
import static dev.dormouse.store.QueueAsk.queued;
import static dev.dormouse.store.Samples.signal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.queue.QueueClaimed;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Queued;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The number of runs that begin in a period stays within the rates of their queue, evenly spread. */
interface RateContract extends QueueContract {
    Duration HOUR = Duration.ofHours(1);

    private List<UUID> due(int count, String... keys) {
        List<UUID> runs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String key = keys[i % keys.length];
            runs.add(started(queued("wf-" + i + "-" + now(), LANE_A, new Queued(QUEUE, 0, key))));
            tick();
        }
        return runs;
    }

    private Held held(QueueClaimed claimed, int place) {
        return Held.of(claimed.runs().get(place).row());
    }

    @Test
    default void oneBeginsInEachPartOfAPeriod() {
        List<UUID> runs = due(3, "");
        QueueClaimed first = ask().rate(6, HOUR).of(store());
        assertThat(idsOf(first)).containsExactly(runs.get(0));
        assertThat(first.more()).isTrue();
        assertThat(first.next()).isEqualTo(first.now().plus(Duration.ofMinutes(10)));
        QueueClaimed second = ask().rate(6, HOUR).of(peer());
        assertThat(second.runs()).isEmpty();
        assertThat(second.more()).isTrue();
        assertThat(second.next()).isEqualTo(first.next());
    }

    @Test
    default void nextBeginsWhenItsPartOfThePeriodHasCome() {
        List<UUID> runs = due(3, "");
        Duration part = Duration.ofMillis(20);
        QueueClaimed first = ask().rate(50, Duration.ofSeconds(1)).of(store());
        passTime(part);
        QueueClaimed second = ask().rate(50, Duration.ofSeconds(1)).of(store());
        assertThat(idsOf(second)).containsExactly(runs.get(1));
        assertThat(second.now()).isAfterOrEqualTo(first.next());
        // a start that is a little late does not delay the next
        assertThat(second.next())
                .isBetween(first.next().plus(part), second.now().plus(part));
    }

    @Test
    default void asManyAsFallIntoAFiftiethOfAPeriodBeginAtOnce() {
        due(9, "");
        QueueClaimed first = ask().rate(200, HOUR).of(store());
        assertThat(first.runs()).hasSize(4);
        assertThat(first.next()).isEqualTo(first.now().plus(Duration.ofSeconds(18)));
        assertThat(ask().rate(200, HOUR).of(store()).runs()).isEmpty();
    }

    @Test
    default void partOfAPeriodIsRoundedUp() {
        due(2, "");
        QueueClaimed first = ask().rate(7, Duration.ofSeconds(1)).of(store());
        assertThat(first.next()).isEqualTo(first.now().plusNanos(142_858_000));
        assertThatThrownBy(() -> ask().rate(0, HOUR)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ask().rate(1, Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    default void rateHoldsNothingUpWhereNothingIsDue() {
        due(1, "");
        QueueClaimed only = ask().rate(1, HOUR).of(store());
        assertThat(only.more()).isFalse();
        assertThat(only.next()).isNull();
    }

    @Test
    default void limitOfTheNodeDoesNotUseTheRateUp() {
        List<UUID> runs = due(5, "");
        QueueClaimed first = ask().limit(1).rate(100, HOUR).of(store());
        assertThat(first.more()).isTrue();
        assertThat(first.next()).isNull();
        assertThat(idsOf(ask().limit(1).rate(100, HOUR).of(store()))).containsExactly(runs.get(1));
        assertThat(ask().limit(1).rate(100, HOUR).of(store()).runs()).isEmpty();
    }

    @Test
    default void retriesCountAndTimersMailHandoversAndTakeoversDoNot() {
        due(5, "");
        QueueClaimed all = ask().of(store());
        committed(held(all, 0).becoming(NextState.waiting(Alarm.NOW, WakeReason.RETRY)));
        committed(held(all, 1).suspend(Alarm.NOW));
        committed(held(all, 2).suspend(Alarm.NONE));
        accepted(signal(all.runs().get(2).row().workflowId(), "k"));
        committed(held(all, 3).becoming(NextState.pending(Alarm.NOW, WakeReason.HANDOVER)));
        committed(held(all, 4).expire());
        due(1, "");
        QueueClaimed again = ask().rate(1, HOUR).of(store());
        assertThat(again.runs())
                .extracting(Claimed.Run::reason)
                .containsExactly(
                        WakeReason.RETRY, WakeReason.TIMER, WakeReason.MAIL, WakeReason.HANDOVER, WakeReason.LEASE);
        assertThat(again.more()).isTrue();
        assertThat(again.next()).isEqualTo(again.now().plus(HOUR));
    }

    @Test
    default void runsThatDoNotCountAreFoundBehindManyThatTheRateHoldsUp() {
        due(1, "");
        Held sleeper = held(ask().rate(1, HOUR).of(store()), 0);
        due(150, "");
        committed(sleeper.suspend(Alarm.NOW));
        QueueClaimed claimed = ask().limit(1).rate(1, HOUR).of(store());
        assertThat(idsOf(claimed)).containsExactly(sleeper.runId());
        assertThat(claimed.next()).isNotNull();
    }

    @Test
    default void fullQueueDoesNotUseTheRateUp() {
        List<UUID> runs = due(3, "");
        QueueClaimed first = ask().total(1).rate(100, HOUR).of(store());
        QueueClaimed full = ask().total(1).rate(100, HOUR).of(store());
        assertThat(full.runs()).isEmpty();
        assertThat(full.next()).isEqualTo(row(runs.get(0)).wakeAt());
        committed(held(first, 0).close());
        assertThat(idsOf(ask().total(1).rate(100, HOUR).of(store()))).containsExactly(runs.get(1));
    }

    @Test
    default void eachKeyHasItsOwnRateAndItsRunsGetReservedInstants() {
        List<UUID> runs = due(6, "a", "b");
        QueueClaimed claimed = ask().keyRate(6, HOUR).of(store());
        assertThat(idsOf(claimed)).containsExactlyElementsOf(runs.subList(0, 2));
        assertThat(claimed.more()).isFalse();
        assertThat(claimed.next()).isNull();
        for (int i = 2; i < 6; i++) {
            RunRow row = row(runs.get(i));
            assertThat(row.wakeAt()).isEqualTo(claimed.now().plus(Duration.ofMinutes(10L * (i / 2))));
            assertThat(row.wakeReason()).isEqualTo(WakeReason.RATE);
            assertThat(row.status()).isEqualTo(RunStatus.PENDING);
        }
        UUID late = due(1, "a").get(0);
        ask().keyRate(6, HOUR).of(store());
        assertThat(row(late).wakeAt()).isEqualTo(claimed.now().plus(Duration.ofMinutes(30)));
    }

    /** Returns a run whose reserved instant, which its key's rate assigned to it, has come. */
    private UUID reserved(String key) {
        UUID runId = due(1, key).get(0);
        committed(Held.of(row(runId)).becoming(NextState.pending(Alarm.NOW, WakeReason.RATE)));
        return runId;
    }

    @Test
    default void runWithAReservedInstantIsNotDelayedByAnyRate() {
        due(1, "a");
        assertThat(ask().rate(1, HOUR).keyRate(1, HOUR).of(store()).runs()).hasSize(1);
        List<UUID> reserved = List.of(reserved("a"), reserved("a"), reserved("b"));
        UUID other = due(1, "b").get(0);
        QueueClaimed claimed = ask().rate(1, HOUR).keyRate(1, HOUR).of(store());
        assertThat(idsOf(claimed)).containsExactlyElementsOf(reserved);
        assertThat(row(other).wakeReason()).isEqualTo(WakeReason.START);
    }

    @Test
    default void runWithAReservedInstantUsesUpTheRateOfTheQueue() {
        UUID runId = reserved("a");
        due(1, "b");
        QueueClaimed claimed = ask().rate(6, HOUR).of(store());
        assertThat(idsOf(claimed)).containsExactly(runId);
        assertThat(claimed.next()).isEqualTo(claimed.now().plus(Duration.ofMinutes(10)));
    }

    @Test
    default void keyIsFreeAgainWhenItsTimeHasPassed() {
        Duration part = Duration.ofMillis(10);
        for (int i = 0; i < 3; i++) {
            due(1, "a");
            assertThat(ask().keyRate(1, part).of(store()).runs()).hasSize(1);
            passTime(part);
        }
    }

    @Test
    default void manyRunsOfAKeyWithoutRoomDoNotHideTheOthers() {
        due(250, "a");
        UUID other = due(1, "b").get(0);
        List<UUID> taken = new ArrayList<>();
        for (int i = 0; i < 4 && !taken.contains(other); i++) {
            QueueClaimed claimed = ask().limit(2).keyRate(1, HOUR).of(store());
            taken.addAll(idsOf(claimed));
            assertThat(claimed.more()).isEqualTo(!taken.contains(other));
            assertThat(claimed.next()).isNull();
        }
        assertThat(taken).hasSize(2).contains(other);
    }

    @Test
    default void fasterRateThatIsSetLaterTakesEffectAtOnce() {
        due(3, "");
        ask().rate(1, Duration.ofDays(1000)).of(store());
        QueueClaimed held = ask().rate(1000, Duration.ofSeconds(1)).of(store());
        assertThat(held.next()).isBefore(held.now().plusSeconds(2));
    }
}
