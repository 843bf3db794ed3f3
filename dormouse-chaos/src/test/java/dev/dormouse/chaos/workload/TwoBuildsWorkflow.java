package dev.dormouse.chaos.workload;

import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import java.time.Duration;

/** A workflow with two builds: in the new build two steps have changed places. */
public final class TwoBuildsWorkflow implements WorkflowFunction<Integer, String> {
    public static final String TYPE = "order";
    public static final String OLD = "old";
    public static final String NEW = "new";

    private final WorkerJournal.Writer journal;
    private final String build;

    public TwoBuildsWorkflow(WorkerJournal.Writer journal, String build) {
        this.journal = journal;
        this.build = build;
    }

    /** @param millis the length of the sleep after the first two steps */
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
                        JournalEntry.Kind.BEGAN,
                        ctx.info().workflowId(),
                        ctx.info().runId(),
                        name));
    }
}
