package dev.dormouse.store;

import static dev.dormouse.store.Samples.FAR;
import static dev.dormouse.store.Samples.LANE;
import static dev.dormouse.store.Samples.LEASE;
import static dev.dormouse.store.Samples.NODE;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.TYPE;
import static dev.dormouse.store.Samples.leased;
import static dev.dormouse.store.Samples.pending;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The start of a run. */
interface StartContract extends ContractWords {

    @Test
    default void leasedStartIsTheNodesOwnFromTheFirstMoment() {
        Instant before = now();
        Start start = leased("a");
        Instant at = ((StartOutcome.Started) start(start)).at();
        assertThat(at).isBetween(before, now());
        assertThat(row(start.runId()))
                .isEqualTo(new RunRow(
                        SHARD,
                        start.runId(),
                        "a",
                        TYPE,
                        LANE,
                        RunStatus.RUNNING,
                        start.next().lease(),
                        NODE,
                        at.plus(LEASE),
                        WakeReason.LEASE,
                        1,
                        start.first().checksum(),
                        0,
                        0,
                        0,
                        0,
                        "",
                        "",
                        at,
                        null));
    }

    @Test
    default void startWritesTheFirstEventWithTheRun() {
        Start start = leased("a");
        Instant at = ((StartOutcome.Started) start(start)).at();
        assertThat(history(start.runId()))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(new HistoryRow(
                        start.runId(),
                        0,
                        1,
                        at,
                        start.first().checksum(),
                        start.first().payload()));
    }

    @Test
    default void unleasedStartIsDueAtOnceAndHasNoOwner() {
        Start start = pending("a");
        Instant at = ((StartOutcome.Started) start(start)).at();
        RunRow row = row(start.runId());
        assertThat(row.status()).isEqualTo(RunStatus.PENDING);
        assertThat(row.lease()).isEqualTo(RunRow.NO_LEASE);
        assertThat(row.owner()).isEmpty();
        assertThat(row.wakeAt()).isEqualTo(at);
        assertThat(row.wakeReason()).isEqualTo(WakeReason.START);
    }

    @Test
    default void delayedStartIsNotDueBeforeItsInstant() {
        Start in = pending("in", new Alarm.In(FAR));
        Instant inAt = ((StartOutcome.Started) start(in)).at();
        Instant instant = now().plus(FAR);
        Start at = pending("at", new Alarm.At(instant));
        started(at);
        assertThat(row(in.runId()).wakeAt()).isEqualTo(inAt.plus(FAR));
        assertThat(row(at.runId()).wakeAt()).isEqualTo(instant);
        assertThat(claim(10)).isEmpty();
    }

    @Test
    default void delayedStartThatIsLateIsDueNow() {
        Instant before = now();
        Start start = pending("a", new Alarm.At(before.minus(FAR)));
        started(start);
        assertThat(row(start.runId()).wakeAt()).isBetween(before, now());
        assertThat(claim(10)).hasSize(1);
    }

    @Test
    default void thousandStartsAreAnsweredInTheirOrder() {
        List<Start> there =
                IntStream.range(0, 333).mapToObj(i -> leased("wf-" + i * 3)).toList();
        store().start(SHARD, there);
        List<Start> batch = new ArrayList<>(
                IntStream.range(0, 1000).mapToObj(i -> leased("wf-" + i)).toList());
        Collections.shuffle(batch);
        List<StartOutcome> outcomes = store().start(SHARD, batch);
        Map<UUID, RunRow> rows = rows(batch.stream().map(Start::runId).toList());
        assertThat(outcomes).hasSize(1000);
        for (int i = 0; i < 1000; i++) {
            int number = Integer.parseInt(batch.get(i).workflowId().substring(3));
            if (number % 3 == 0 && number < 999) {
                RunRow existing = ((StartOutcome.Exists) outcomes.get(i)).run();
                assertThat(existing.runId()).isEqualTo(there.get(number / 3).runId());
            } else {
                assertThat(outcomes.get(i)).isInstanceOf(StartOutcome.Started.class);
                assertThat(rows.get(batch.get(i).runId()).workflowId())
                        .isEqualTo(batch.get(i).workflowId());
            }
        }
    }

    @Test
    default void emptyBatchesAreAnsweredWithNothing() {
        assertThat(store().start(SHARD, List.of())).isEmpty();
        assertThat(store().commit(SHARD, List.of())).isEmpty();
        assertThat(store().deliver(SHARD, List.of(), LEASE)).isEmpty();
        assertThat(store().renew(SHARD, List.of(), LEASE).mail()).isEmpty();
        assertThat(store().runs(SHARD, List.of())).isEmpty();
        assertThat(store().histories(SHARD, List.of())).isEmpty();
        store().forwarded(SHARD, List.of());
        store().notify(List.of());
    }

    @Test
    default void startMayBeginInAnyOpenStatusWithItsLaneRefusalsAndTrouble() {
        NextState stuck = NextState.stuck(new Alarm.In(FAR), "no code for it").inLane("other", "b1 b2");
        Start start = Samples.start("a", stuck);
        started(start);
        RunRow row = row(start.runId());
        assertThat(row.status()).isEqualTo(RunStatus.STUCK);
        assertThat(row.lane()).isEqualTo("other");
        assertThat(row.refused()).isEqualTo("b1 b2");
        assertThat(row.trouble()).isEqualTo("no code for it");
    }
}
