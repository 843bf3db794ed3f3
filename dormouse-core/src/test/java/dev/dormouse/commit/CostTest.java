package dev.dormouse.commit;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.store.run.HistoryRow;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The number of commits of a run, each of which writes one history row; docs/performance.md quotes these numbers. */
class CostTest {
    private static final Duration BRIEF = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofHours(2);

    private static List<Integer> eventsPerCommit(WorkflowFunction<String, String> workflow, StartOptions options) {
        List<Integer> events = new java.util.ArrayList<>();
        simulate(sim -> {
            Dormouse node = sim.open(builder -> builder.workflow("w", String.class, String.class, workflow));
            WorkflowHandle<String> handle = node.start("w", "id", options, String.class, "x");
            sim.result(handle);
            events.clear();
            sim.store().histories(0, List.of(handle.runId())).stream()
                    .map(HistoryRow::count)
                    .forEach(events::add);
        });
        return events;
    }

    private static List<Integer> eventsPerCommit(WorkflowFunction<String, String> workflow) {
        return eventsPerCommit(workflow, StartOptions.DEFAULT);
    }

    @Test
    void workflowWithOneStepIsTwoCommits() {
        assertThat(eventsPerCommit((ctx, in) -> ctx.step("a", String.class, () -> "done")))
                .containsExactly(1, 2);
    }

    @Test
    void workflowWithTenStepsIsElevenCommits() {
        assertThat(eventsPerCommit((ctx, in) -> {
                    for (int i = 0; i < 10; i++) {
                        ctx.step("a", () -> {});
                    }
                    return "done";
                }))
                .containsExactly(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2);
    }

    @Test
    void sleepIsOneCommitBeforeAndOneAfter() {
        for (Duration sleep : List.of(BRIEF, LONG)) {
            assertThat(eventsPerCommit((ctx, in) -> {
                        ctx.step("a", () -> {});
                        ctx.sleep(sleep);
                        ctx.step("b", () -> {});
                        return "done";
                    }))
                    .containsExactly(1, 2, 1, 2);
        }
    }

    @Test
    void sleepAtTheEndIsCommittedTogetherWithTheEnd() {
        assertThat(eventsPerCommit((ctx, in) -> {
                    ctx.sleep(LONG);
                    return "done";
                }))
                .containsExactly(1, 1, 2);
    }

    @Test
    void delayedStartIsRecordedWithTheNextEvents() {
        assertThat(eventsPerCommit((ctx, in) -> "done", StartOptions.DEFAULT.withStartDelay(LONG)))
                .containsExactly(1, 2);
    }
}
