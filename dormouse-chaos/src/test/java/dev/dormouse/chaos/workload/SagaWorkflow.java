package dev.dormouse.chaos.workload;

import dev.dormouse.Saga;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.error.ActivityFailedException;

/** A saga of five steps whose fourth fails. Its input is the duration of each compensation in milliseconds. */
public final class SagaWorkflow implements WorkflowFunction<String, String> {
    public static final String TYPE = "trip";

    private final WorkerJournal.Writer journal;

    public SagaWorkflow(WorkerJournal.Writer journal) {
        this.journal = journal;
    }

    @Override
    public String run(WorkflowContext ctx, String millis) {
        TestActivities chores = ctx.activities(TestActivities.class);
        Saga saga = new Saga();
        try {
            for (String what : new String[] {"1", "2", "3", "bad4", "5"}) {
                chores.act(what);
                saga.addCompensation(() -> {
                    if (what.equals("2")) {
                        Breakpoint.at(Breakpoint.Point.BETWEEN_UNDOS, ctx.info().workflowId(), journal);
                    }
                    chores.undo(what, Long.parseLong(millis));
                });
            }
            return "done";
        } catch (ActivityFailedException failed) {
            saga.compensate();
            return "undone";
        }
    }
}
