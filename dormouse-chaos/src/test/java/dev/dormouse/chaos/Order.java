package dev.dormouse.chaos;

import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import java.time.Duration;

/** A workflow of which there are two builds: in the new one two steps have changed places. */
final class Order implements WorkflowFunction<Integer, String> {
    static final String TYPE = "order";
    static final String OLD = "old";
    static final String NEW = "new";

    private final Journal.Writer journal;
    private final String build;

    Order(Journal.Writer journal, String build) {
        this.journal = journal;
        this.build = build;
    }

    /** @param millis how long it sleeps after its first two steps */
    @Override
    public String run(WorkflowContext ctx, Integer millis) {
        boolean old = build.equals(OLD);
        step(ctx, old ? "reserve" : "charge");
        step(ctx, old ? "charge" : "reserve");
        ctx.sleep(Duration.ofMillis(millis));
        step(ctx, "ship");
        return build;
    }

    private void step(WorkflowContext ctx, String name) {
        ctx.step(
                name,
                () -> journal.write(
                        Deed.Kind.BEGAN, ctx.info().workflowId(), ctx.info().runId(), name));
    }
}
