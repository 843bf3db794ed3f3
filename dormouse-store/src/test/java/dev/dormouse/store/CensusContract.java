package dev.dormouse.store;

import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.inLane;
import static dev.dormouse.store.Samples.leased;
import static dev.dormouse.store.Samples.ofType;
import static dev.dormouse.store.Samples.pending;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.Count;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.page.RunPage;
import dev.dormouse.store.page.StatusCounts;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunKind;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Dashboards see how many runs are in which state, and find the runs that need attention. */
interface CensusContract extends ContractWords {
    Set<RunKind> WORKFLOWS = Set.of(RunKind.WORKFLOW);
    int BATCH = 200;

    private void standing(String workflowId, String type, NextState next) {
        Start start = ofType(leased(workflowId), type);
        Held held = Held.of(row(started(start)));
        committed(held.commit(Samples.events(1), next));
    }

    private List<String> troubled(RunFilter filter, int limit) {
        RunPage first = store().list(SHARD, filter, Optional.empty(), limit);
        List<String> ids = new java.util.ArrayList<>(
                first.runs().stream().map(RunRow::workflowId).toList());
        String next = first.next();
        while (next != null) {
            RunPage page = store().list(SHARD, filter, Optional.of(next), limit);
            page.runs().forEach(row -> ids.add(row.workflowId()));
            next = page.next();
        }
        return ids;
    }

    @Test
    default void emptyStoreCountsNoRuns() {
        Count none = Count.NONE;
        assertThat(peer().pages().census(SHARD, WORKFLOWS)).isEqualTo(new StatusCounts(none, none, none, none, none));
    }

    @Test
    default void fewRunsAreCountedWhereTheyStand() {
        started(leased("running"));
        started(leased("running too"));
        started(ofType(leased("a timer"), "!t"));
        standing("parked", "A", NextState.parked(Samples.newLease(), now().plusSeconds(10)));
        standing("waiting", "A", NextState.waiting(Alarm.NONE, WakeReason.TIMER));
        standing("asleep", "A", NextState.waiting(new Alarm.In(Duration.ofHours(1)), WakeReason.TIMER));
        started(pending("to begin", new Alarm.In(Duration.ofHours(1))));
        standing("stuck", "A", NextState.stuck(Alarm.NONE, "trouble"));
        standing("failed", "A", NextState.closed(RunStatus.FAILED));
        standing("too late", "A", NextState.closed(RunStatus.TIMED_OUT));
        standing("done", "A", NextState.closed(RunStatus.COMPLETED));
        standing("a failed timer", "!t", NextState.closed(RunStatus.FAILED));
        assertThat(peer().pages().census(SHARD, WORKFLOWS))
                .isEqualTo(new StatusCounts(
                        Count.exactly(2), Count.exactly(1), Count.exactly(3), Count.exactly(1), Count.exactly(2)));
        assertThat(peer().pages().census(SHARD, Set.of(RunKind.TIMER)))
                .isEqualTo(new StatusCounts(
                        Count.exactly(1), Count.exactly(0), Count.exactly(0), Count.exactly(0), Count.exactly(1)));
    }

    /** Adds many timers, of which there may be millions: a few waiting runs are still counted exactly. */
    @Test
    default void fewRunsAreCountedExactlyBesideManyTimers() {
        for (int i = 0; i < 10; i++) {
            standing(
                    (i % 2 == 0 ? " " : "") + i + " waits for mail",
                    "A",
                    NextState.waiting(Alarm.NONE, WakeReason.TIMER));
            standing("asleep " + i, "A", NextState.waiting(new Alarm.In(Duration.ofHours(1)), WakeReason.TIMER));
        }
        started(pending("to begin", new Alarm.In(Duration.ofHours(1))));
        for (int i = 0; i <= StatusCounts.MOST; i += BATCH) {
            store().start(
                            SHARD,
                            IntStream.range(i, i + BATCH)
                                    .mapToObj(CensusContract::timer)
                                    .toList());
        }
        standing(" failed", "A", NextState.closed(RunStatus.FAILED));
        Count none = Count.NONE;
        assertThat(peer().pages().census(SHARD, WORKFLOWS))
                .isEqualTo(new StatusCounts(none, none, Count.exactly(21), none, Count.exactly(1)));
    }

    private static Start timer(int number) {
        return inLane(ofType(pending("!t-" + number, new Alarm.In(Duration.ofHours(1))), "!t"), "!t");
    }

    @Test
    default void runsInTroubleAreListedNewestFirst() {
        for (int i = 0; i < 4; i++) {
            standing("failed " + i, "A", NextState.closed(RunStatus.FAILED));
            standing("done " + i, "A", NextState.closed(RunStatus.COMPLETED));
            standing("late " + i, "A", NextState.closed(RunStatus.TIMED_OUT));
            standing("stuck " + i, i == 0 ? "!t" : "B", NextState.stuck(Alarm.NONE, "trouble"));
        }
        for (int limit : new int[] {1, 2, 5, 100}) {
            RunFilter failed = new RunFilter(null, null, Set.of(RunStatus.FAILED));
            assertThat(troubled(failed, limit)).containsExactly("failed 3", "failed 2", "failed 1", "failed 0");
            RunFilter both = new RunFilter(null, null, Set.of(RunStatus.FAILED, RunStatus.TIMED_OUT));
            assertThat(troubled(both, limit))
                    .containsExactly(
                            "late 3", "failed 3", "late 2", "failed 2", "late 1", "failed 1", "late 0", "failed 0");
            RunFilter stuck = new RunFilter(null, null, Set.of(RunStatus.STUCK), true);
            assertThat(troubled(stuck, limit)).containsExactly("stuck 3", "stuck 2", "stuck 1");
            RunFilter ofB = new RunFilter(null, "B", Set.of(RunStatus.STUCK, RunStatus.FAILED));
            assertThat(troubled(ofB, limit)).containsExactly("stuck 3", "stuck 2", "stuck 1");
        }
    }

    @Test
    default void listsCanOmitRunsThatAreNotWorkflows() {
        started(pending("workflow"));
        for (String type : List.of("!t", "$event", "%schedule", "#Mail.send")) {
            started(ofType(pending("of " + type), type));
        }
        assertThat(troubled(new RunFilter(null, null, Set.of(), true), 2)).containsExactly("workflow");
        assertThat(troubled(new RunFilter("", null, Set.of(), true), 2)).containsExactly("workflow");
        assertThat(troubled(RunFilter.ALL, 2)).hasSize(5);
    }
}
