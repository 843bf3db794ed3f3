package dev.dormouse.benchmarks.system.dormouse.node;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowContext;
import java.time.Duration;

/** The workflows of a node. */
final class NodeCode {
    static final String STEP = "step";
    static final String HOLD = "hold";
    static final String SLEEP = "sleep";

    private NodeCode() {}

    static Dormouse open(String url, HeldRuns held) {
        return Dormouse.builder()
                .store(url)
                .workflow(STEP, Integer.class, String.class, NodeCode::step)
                .workflow(HOLD, Integer.class, String.class, (context, number) -> hold(context, held))
                .workflow(SLEEP, Integer.class, String.class, NodeCode::sleep)
                .open();
    }

    private static String step(WorkflowContext context, Integer number) {
        return context.step("step", String.class, () -> "done");
    }

    private static String hold(WorkflowContext context, HeldRuns held) {
        context.step("first", String.class, () -> "done");
        context.step("second", held::step);
        return "done";
    }

    private static String sleep(WorkflowContext context, Integer number) {
        context.step("first", String.class, () -> "done");
        context.sleep(Duration.ofHours(6));
        return "done";
    }
}
