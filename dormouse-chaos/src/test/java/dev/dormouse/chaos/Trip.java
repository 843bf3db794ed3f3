package dev.dormouse.chaos;

import dev.dormouse.ActivityFailure;
import dev.dormouse.Saga;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;

/** A saga of five steps whose fourth fails. Its input says how many milliseconds each undoing takes. */
final class Trip implements WorkflowFunction<String, String> {
    static final String TYPE = "trip";

    private final Journal.Writer journal;

    Trip(Journal.Writer journal) {
        this.journal = journal;
    }

    @Override
    public String run(WorkflowContext ctx, String millis) {
        Chores chores = ctx.activities(Chores.class);
        Saga saga = new Saga();
        try {
            for (String what : new String[] {"1", "2", "3", "bad4", "5"}) {
                chores.act(what);
                saga.addCompensation(() -> {
                    if (what.equals("2")) {
                        Hold.at(Hold.Point.BETWEEN_UNDOS, ctx.info().workflowId(), journal);
                    }
                    chores.undo(what, Long.parseLong(millis));
                });
            }
            return "done";
        } catch (ActivityFailure failed) {
            saga.compensate();
            return "undone";
        }
    }
}
