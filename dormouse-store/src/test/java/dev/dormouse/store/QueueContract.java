package dev.dormouse.store;

import static dev.dormouse.store.QueueAsk.LANE_A;
import static dev.dormouse.store.QueueAsk.LANE_B;
import static dev.dormouse.store.QueueAsk.QUEUE;
import static dev.dormouse.store.QueueAsk.queued;
import static dev.dormouse.store.Samples.FAR;
import static dev.dormouse.store.Samples.LANE;
import static dev.dormouse.store.Samples.LEASE;
import static dev.dormouse.store.Samples.NODE;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.signal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.queue.QueueClaimed;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Queued;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.Sweep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Only claims of the queue lease its runs, in its order and within its limit. */
interface QueueContract extends ContractWords {

    default QueueAsk ask() {
        return new QueueAsk();
    }

    default List<UUID> idsOf(QueueClaimed claimed) {
        return claimed.runs().stream().map(run -> run.row().runId()).toList();
    }

    /** Starts runs of the queue that are due one after the other. */
    private List<UUID> due(int count, String... lanes) {
        List<UUID> runs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String lane = lanes[i % lanes.length];
            runs.add(started(queued("wf-" + i + "-" + now(), lane, new Queued(QUEUE, 0, ""))));
            tick();
        }
        return runs;
    }

    private Held held(QueueClaimed claimed, int place) {
        return Held.of(claimed.runs().get(place).row());
    }

    @Test
    default void claimOfAQueueLeasesItsRuns() {
        UUID runId = started(queued("a"));
        RunRow before = row(runId);
        QueueClaimed claimed = ask().of(store());
        Claimed.Run run = claimed.runs().get(0);
        RowEdit expected = new RowEdit(before);
        expected.status = RunStatus.RUNNING;
        expected.lease = run.row().lease();
        expected.owner = NODE;
        expected.wakeAt = claimed.now().plus(LEASE);
        expected.wakeReason = WakeReason.LEASE;
        assertThat(claimed.runs())
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("history")
                .containsExactly(
                        new Claimed.Run(expected.toRow(), before.wakeAt(), WakeReason.START, RunStatus.PENDING, ""));
        assertThat(row(runId)).isEqualTo(expected.toRow());
        assertThat(claimed.more()).isFalse();
        assertThat(claimed.next()).isNull();
        committed(Held.of(row(runId)).close());
        assertThat(ask().of(store()).runs()).isEmpty();
    }

    @Test
    default void otherClaimsLeaveTheRunsOfAQueueAlone() {
        UUID runId = started(queued("a"));
        started(Samples.pending("b"));
        assertThat(claim(10)).hasSize(1);
        assertThat(row(runId).status()).isEqualTo(RunStatus.PENDING);
        started(Samples.inLane(Samples.pending("c"), LANE_A));
        assertThat(idsOf(ask().of(store()))).containsExactly(runId);
    }

    @Test
    default void queuesDoNotShareTheirRunsOrTheirRoom() {
        UUID other = started(queued("a", LANE_A, new Queued("others", 0, "")));
        UUID mine = started(queued("b"));
        assertThat(idsOf(ask().total(1).of(store()))).containsExactly(mine);
        assertThat(row(other).status()).isEqualTo(RunStatus.PENDING);
    }

    @Test
    default void startOfAQueuedRunUnderALeaseIsRefused() {
        assertThatThrownBy(() -> QueueAsk.in(Samples.leased("a"), new Queued(QUEUE, 0, "")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    default void oldestAlarmComesFirstOverAllLanesOfTheQueue() {
        List<UUID> runs = due(6, LANE_A, LANE_B);
        List<UUID> taken = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            QueueClaimed claimed = ask().limit(2).of(store());
            taken.addAll(idsOf(claimed));
            assertThat(claimed.more()).isEqualTo(i < 2);
            assertThat(claimed.next()).isNull();
        }
        assertThat(taken).containsExactlyElementsOf(runs);
    }

    @Test
    default void higherPrioritiesGoFirst() {
        List<UUID> runs = new ArrayList<>();
        for (int priority = 0; priority <= Queued.HIGHEST; priority++) {
            String lane = priority % 2 == 0 ? LANE_A : LANE_B;
            runs.add(0, started(queued("wf-" + priority, lane, new Queued(QUEUE, priority, ""))));
        }
        List<UUID> taken = new ArrayList<>(idsOf(ask().limit(3).of(store())));
        taken.addAll(idsOf(ask().of(store())));
        assertThat(taken).containsExactlyElementsOf(runs);
        assertThatThrownBy(() -> new Queued(QUEUE, 10, "")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    default void claimThatNeedNotSeeEverythingFindsWhatEarlierOnesLeft() {
        List<UUID> started = new ArrayList<>();
        List<UUID> taken = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            for (int priority : List.of(3, 0, 9)) {
                String lane = i % 2 == 0 ? LANE_A : LANE_B;
                started.add(started(queued(i + "-" + priority, lane, new Queued(QUEUE, priority, ""))));
            }
            taken.addAll(idsOf(ask().onlyNew().limit(2).of(store())));
            passTime(Duration.ofMillis(100));
        }
        for (int i = 0; i < 6; i++) {
            taken.addAll(idsOf(ask().onlyNew().limit(2).total(taken.size() + 2).of(store())));
        }
        assertThat(taken).containsExactlyInAnyOrderElementsOf(started);
    }

    @Test
    default void noMoreRunsThanTheTotalAreLeased() {
        List<UUID> runs = due(5, LANE_A, LANE_B);
        QueueClaimed first = ask().total(2).of(store());
        assertThat(idsOf(first)).containsExactlyElementsOf(runs.subList(0, 2));
        assertThat(first.more()).isTrue();
        assertThat(first.next()).isEqualTo(first.now().plus(LEASE));
        QueueClaimed second = ask().total(2).of(peer());
        assertThat(second.runs()).isEmpty();
        assertThat(second.more()).isTrue();
        assertThat(second.next()).isEqualTo(first.now().plus(LEASE));
        committed(held(first, 1).close());
        assertThat(idsOf(ask().total(2).of(peer()))).containsExactly(runs.get(2));
        assertThat(idsOf(ask().total(4).of(peer()))).containsExactlyElementsOf(runs.subList(3, 5));
    }

    @Test
    default void fullQueueWithNothingDueHoldsNothingUp() {
        due(2, LANE_A);
        ask().total(2).of(store());
        QueueClaimed none = ask().total(2).of(store());
        assertThat(none.more()).isFalse();
        assertThat(none.next()).isNull();
    }

    @Test
    default void leasesInLanesThatTheClaimerDoesNotKnowCount() {
        List<UUID> runs = due(4, LANE_A, LANE_B);
        ask().lanes(LANE_A).total(2).of(store());
        QueueClaimed full = ask().lanes(LANE_B).total(2).of(store());
        assertThat(full.runs()).isEmpty();
        assertThat(full.more()).isTrue();
        assertThat(idsOf(ask().lanes(LANE_B).total(3).of(store()))).containsExactly(runs.get(1));
        assertThat(ask().lanes().total(9).of(store()).more()).isFalse();
    }

    @Test
    default void parkedRunsCountAndSuspendedOnesDoNot() {
        due(3, LANE_A);
        QueueClaimed claimed = ask().total(2).of(store());
        Instant soon = now().plus(Duration.ofMinutes(1));
        committed(held(claimed, 0).park(Samples.newLease(), soon));
        QueueClaimed full = ask().total(2).of(store());
        assertThat(full.runs()).isEmpty();
        assertThat(full.next())
                .isEqualTo(row(claimed.runs().get(0).row().runId()).wakeAt());
        committed(held(claimed, 1).suspend(new Alarm.In(FAR)));
        assertThat(ask().total(2).of(store()).runs()).hasSize(1);
    }

    @Test
    default void runThatIsWokenByItsTimerOrItsMailNeedsRoom() {
        due(2, LANE_A);
        QueueClaimed claimed = ask().total(2).of(store());
        committed(held(claimed, 0).suspend(Alarm.NOW));
        committed(held(claimed, 1).suspend(Alarm.NONE));
        accepted(signal(claimed.runs().get(1).row().workflowId(), "k"));
        QueueClaimed one = ask().total(1).of(store());
        assertThat(one.runs()).extracting(Claimed.Run::reason).containsExactly(WakeReason.TIMER);
        assertThat(one.more()).isTrue();
        QueueClaimed other = ask().total(2).of(store());
        assertThat(other.runs()).extracting(Claimed.Run::reason).containsExactly(WakeReason.MAIL);
        assertThat(other.runs()).extracting(Claimed.Run::before).containsExactly(RunStatus.WAITING);
    }

    @Test
    default void futureAlarmsAreNotTouched() {
        Start start = Samples.inLane(Samples.pending("a", new Alarm.In(FAR)), LANE_A);
        started(QueueAsk.in(start, new Queued(QUEUE, 0, "")));
        QueueClaimed none = ask().total(1).of(store());
        assertThat(none.runs()).isEmpty();
        assertThat(none.more()).isFalse();
    }

    @Test
    default void buildThatRefusedARunGetsItOnlyIfNoOtherNodeClaimsIt() {
        NextState refused = NextState.pending(Alarm.NOW, WakeReason.HANDOVER).inLane(LANE_A, "b1 b2");
        UUID runId = started(QueueAsk.in(Samples.start("a", refused), new Queued(QUEUE, 0, "")));
        Duration patience = Duration.ofMillis(10);
        assertThat(ask().build("b1", FAR).of(store()).runs()).isEmpty();
        assertThat(ask().build("b1", FAR).of(store()).more()).isFalse();
        passTime(patience);
        assertThat(idsOf(ask().build("b2", patience).of(store()))).containsExactly(runId);
        committed(Held.of(row(runId)).becoming(refused));
        assertThat(idsOf(ask().build("b", FAR).of(store()))).containsExactly(runId);
    }

    @Test
    default void queuedRunsAreSweptListedWokenAndPurgedLikeAllOthers() {
        UUID runId = started(queued("a"));
        Sweep sweep = new Sweep(NODE, "b", List.of(LANE, LANE_A), 10);
        assertThat(store().sweep(SHARD, sweep).overdue()).isTrue();
        Held held = held(ask().of(store()), 0);
        committed(held.becoming(NextState.stuck(new Alarm.In(FAR), "trouble")));
        assertThat(store().wakeStuck(SHARD, List.of(LANE_A), "b")).isEqualTo(1);
        held = held(ask().of(store()), 0);
        assertThat(store().renew(SHARD, List.of(new Renewal(runId, held.lease())), LEASE)
                        .mail())
                .hasSize(1);
        assertThat(store().list(SHARD, RunFilter.ALL, Optional.empty(), 10).runs())
                .containsExactly(row(runId));
        committed(held.close());
        assertThat(store().purge(SHARD, now().plusSeconds(60), Optional.empty(), 10)
                        .runs())
                .isEqualTo(1);
        started(queued("a"));
        assertThat(ask().of(store()).runs()).hasSize(1);
    }

    @Test
    default void queuedRunMayTakeThePlaceOfAClosedOne() {
        closed("a", RunStatus.COMPLETED);
        Start again = Samples.replacing(queued("a"), RunStatus.COMPLETED);
        UUID runId = started(QueueAsk.in(again, new Queued(QUEUE, 3, "k")));
        assertThat(idsOf(ask().total(1).of(store()))).containsExactly(runId);
    }

    @Test
    default void oddNamesOfQueuesLanesAndKeysAreFound() {
        List<String> names = List.of("a,b", "it's", "ü~", "{x}", "\"q\"", "back\\slash", "%", "NULL", " ");
        names.forEach(name -> started(queued("wf-" + name, name, new Queued(QUEUE + name, 1, name))));
        for (String name : names) {
            QueueClaim claim = new QueueClaim(
                    QUEUE + name,
                    List.of(name),
                    10,
                    1,
                    new QueueClaim.Rate(1, LEASE),
                    new QueueClaim.Rate(1, LEASE),
                    Samples.newLease(),
                    LEASE,
                    NODE,
                    "",
                    FAR,
                    Micros.MAX);
            assertThat(store().claimQueued(SHARD, claim).runs()).hasSize(1);
        }
    }
}
