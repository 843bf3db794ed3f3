package dev.dormouse.recovery;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.support.TamperedStore;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Damaged histories, which are reported and never replayed. */
class DamageTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private static Dormouse open(SimulatedDormouse sim) {
        return sim.open(node -> SimulatedDormouse.echo(node).workflow("w", String.class, String.class, (ctx, input) -> {
            for (int i = 0; i < 4; i++) {
                int number = i;
                ctx.step("s" + i, () -> sim.log("s" + number));
                ctx.sleep(HOUR);
            }
            return "done";
        }));
    }

    /** Damages the history of a run that sleeps for the second time, and restores it later. */
    private static void damaged(UnaryOperator<List<HistoryRow>> damage) {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = dormouse.start("w", "w", String.class, "");
            WorkflowHandle<String> other = dormouse.start("w", "other", String.class, "");
            sim.advance(HOUR.multipliedBy(3).dividedBy(2));
            sim.store().damage(handle.runId(), damage);

            sim.await("the run to be stuck", () -> status(dormouse, "w") == RunStatus.STUCK);
            assertThat(trouble(dormouse)).contains(handle.runId().toString());
            assertClear(trouble(dormouse), ErrorCode.HISTORY_DAMAGED);
            assertClear(catchThrowable(handle::history), ErrorCode.HISTORY_DAMAGED);
            assertThat(sim.result(other)).isEqualTo("done");
            assertThat(sim.log()).hasSize(2 + 4);

            sim.store().restore(handle.runId());
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(sim.log()).hasSize(8);
            sim.assertStillWorks(dormouse);
        });
    }

    private static RunDescription listed(Dormouse dormouse, String workflowId) {
        return dormouse.list(ListOptions.ALL.withWorkflowIdPrefix(workflowId))
                .runs()
                .get(0);
    }

    private static RunStatus status(Dormouse dormouse, String workflowId) {
        return listed(dormouse, workflowId).status();
    }

    private static String trouble(Dormouse dormouse) {
        return listed(dormouse, "w").trouble();
    }

    private static HistoryRow last(SimulatedDormouse sim, WorkflowHandle<?> handle) {
        List<HistoryRow> rows = sim.store().histories(0, List.of(handle.runId()));
        return rows.get(rows.size() - 1);
    }

    private static boolean isClosed(SimulatedDormouse sim, UUID runId) {
        return sim.store().run(0, runId).orElseThrow().status().isClosed();
    }

    private static UnaryOperator<List<HistoryRow>> flip(int row, int bit) {
        return rows -> {
            rows.set(row, TamperedStore.flip(rows.get(row), bit));
            return rows;
        };
    }

    @Test
    void flippedBitInTheFirstRowIsNoticed() {
        damaged(flip(0, 77));
    }

    @Test
    void flippedBitInTheFormatIsNoticedAsDamage() {
        damaged(flip(0, 1));
    }

    @Test
    void flippedBitInAPayloadIsNoticed() {
        damaged(flip(1, 200));
    }

    @Test
    void flippedBitInTheLastRowIsNoticed() {
        damaged(rows -> flip(rows.size() - 1, 9).apply(rows));
    }

    @Test
    void missingFirstRowIsNoticed() {
        damaged(rows -> rows.subList(1, rows.size()));
    }

    @Test
    void missingRowIsNoticed() {
        damaged(rows -> {
            rows.remove(1);
            return rows;
        });
    }

    @Test
    void cutTailIsNoticed() {
        damaged(rows -> rows.subList(0, rows.size() - 1));
    }

    @Test
    void historyWithoutAnyRowIsNoticed() {
        damaged(rows -> List.of());
    }

    @Test
    void swappedRowsAreNoticed() {
        damaged(rows -> {
            rows.set(1, rows.set(2, rows.get(1)));
            return rows;
        });
    }

    @Test
    void rowOfAnotherRunIsNoticed() {
        damaged(rows -> {
            HistoryRow second = rows.get(1);
            HistoryRow third = rows.get(2);
            rows.set(
                    1,
                    new HistoryRow(
                            second.runId(),
                            second.seq(),
                            second.count(),
                            second.at(),
                            second.checksum(),
                            third.payload()));
            return rows;
        });
    }

    @Test
    void descriptionOfADamagedRunShowsItsTrouble() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = dormouse.start("w", "w", String.class, "");
            sim.advance(HOUR.dividedBy(2));
            sim.store().damage(handle.runId(), flip(0, 77));
            sim.await("the run to be stuck", () -> status(dormouse, "w") == RunStatus.STUCK);
            assertThat(handle.describe().status()).isEqualTo(RunStatus.STUCK);
            assertClear(handle.describe().trouble(), ErrorCode.HISTORY_DAMAGED);
        });
    }

    @Test
    void damagedRunCanBeTerminated() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = dormouse.start("w", "w", String.class, "");
            sim.advance(HOUR.dividedBy(2));
            sim.store().damage(handle.runId(), flip(1, 77));
            sim.await("the run to be stuck", () -> status(dormouse, "w") == RunStatus.STUCK);
            assertThat(handle.terminate("cannot be saved")).isTrue();
            assertThat(status(dormouse, "w")).isEqualTo(RunStatus.TERMINATED);
        });
    }

    @Test
    void damagedResultOfAClosedRunIsReportedToItsCallers() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> handle = dormouse.start("echo", "e", String.class, "result");
            sim.result(handle);
            int bits = 8 * last(sim, handle).payload().length;
            for (int bit = 0; bit < bits; bit++) {
                int flipped = bit;
                sim.store()
                        .damage(
                                handle.runId(),
                                rows -> flip(rows.size() - 1, flipped).apply(rows));
                Throwable problem = catchThrowable(() -> handle.resultAsync().join());
                assertThat(problem).as("bit %s flipped", bit).isNotNull();
                assertClear(
                        problem instanceof DormouseException ? problem : problem.getCause(), ErrorCode.HISTORY_DAMAGED);
            }
            sim.store().damage(handle.runId(), rows -> rows.subList(0, rows.size() - 1));
            assertClear(catchThrowable(() -> sim.result(handle)), ErrorCode.HISTORY_DAMAGED);
            sim.store().restore(handle.runId());
            assertThat(sim.result(handle)).isEqualTo("result");
        });
    }

    @Test
    void damagedResultsOfOthersDoNotKeepARunFromBeingWaitedFor() {
        simulate(sim -> {
            Dormouse executing = open(sim);
            Dormouse waiting = sim.open(node -> node.remoteWorkflow("echo"));
            List<WorkflowHandle<String>> handles = List.of(
                    executing.start("echo", "a", String.class, "a"),
                    executing.start("echo", "b", String.class, "b"),
                    executing.start("echo", "c", String.class, "c"));
            var futures = handles.stream()
                    .map(handle -> waiting.find(handle.workflowId(), String.class)
                            .orElseThrow()
                            .resultAsync())
                    .toList();
            UUID damaged = handles.get(1).runId();
            sim.store()
                    .damage(
                            damaged,
                            rows -> isClosed(sim, damaged)
                                    ? flip(rows.size() - 1, 9).apply(rows)
                                    : rows);
            sim.advance(HOUR);
            assertThat(futures.get(0)).isCompletedWithValue("a");
            assertThat(futures.get(2)).isCompletedWithValue("c");
            assertThat(futures.get(1)).isCompletedExceptionally();
            sim.assertStillWorks(executing);
        });
    }
}
