package dev.dormouse.internal.engine.command;

import dev.dormouse.internal.run.Lanes;
import dev.dormouse.store.page.OverdueLane;
import dev.dormouse.store.run.RunKind;
import java.time.Instant;

/**
 * Due runs of one lane that no living node executes.
 *
 * @param type the type of the runs: a workflow type or family; for other kinds of run, their type with its
 *     {@link RunKind#mark()}, such as {@code #Mail.welcome}
 * @param queue the queue of the runs; empty for none
 * @param since when the first of them was due
 * @param workflowId the workflow id of that run
 */
public record UnservedLane(String type, String queue, Instant since, String workflowId) {

    static UnservedLane of(OverdueLane overdue) {
        String lane = overdue.lane();
        return new UnservedLane(Lanes.typeOf(lane), Lanes.queueOf(lane), overdue.since(), overdue.workflowId());
    }

    /** Returns one sentence about the problem and one about the remedy. */
    public String text() {
        String where = queue.isEmpty() ? "" : " from queue '" + queue + "'";
        String serve = queue.isEmpty() ? "" : ", and serve the queue there with queue(\"" + queue + "\", …)";
        return "No living node executes " + what() + where + ", but workflow id '" + workflowId
                + "' has been due since " + since + ". Nothing is lost: start a node that has it" + serve
                + ", or check the spelling.";
    }

    private String what() {
        RunKind kind = RunKind.of(type);
        String name = "'" + type.substring(kind.mark().length()) + "'";
        return switch (kind) {
            case WORKFLOW -> "workflow type " + name;
            case TIMER -> "timer handler " + name;
            case ACTIVITY -> "activities of " + name;
            case SCHEDULE -> "schedules";
            case EVENT -> "events";
        };
    }
}
