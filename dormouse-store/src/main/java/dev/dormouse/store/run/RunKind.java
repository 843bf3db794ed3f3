package dev.dormouse.store.run;

import java.util.EnumSet;
import java.util.Set;

/**
 * The kind of a run, as shown to users. The type of a run that is not a workflow begins with a mark, with which no
 * workflow type can begin.
 */
public enum RunKind {
    /** A workflow of a user. */
    WORKFLOW(""),
    /** A timer without a workflow. */
    TIMER("!"),
    /** A schedule. */
    SCHEDULE("%"),
    /** A published event that is being delivered. */
    EVENT("$"),
    /** A single activity of a workflow, in a queue or on another node. */
    ACTIVITY("#");

    /** The kinds whose alarms users set. The others are internal. */
    public static final Set<RunKind> TIMED = Set.copyOf(EnumSet.of(WORKFLOW, TIMER, SCHEDULE));

    /** All kinds. */
    public static final Set<RunKind> ALL = Set.copyOf(EnumSet.allOf(RunKind.class));

    /** The first characters of all types that are not workflow types. */
    public static final String MARKS = TIMER.mark + SCHEDULE.mark + EVENT.mark + ACTIVITY.mark;

    private static final char IN_QUEUE = '@';

    private final String mark;

    RunKind(String mark) {
        this.mark = mark;
    }

    /** Returns the mark with which types of this kind begin; empty for workflows. */
    public String mark() {
        return mark;
    }

    /** Returns the kind of all runs of a type, by the mark with which the type begins. */
    public static RunKind of(String type) {
        for (RunKind kind : values()) {
            if (kind != WORKFLOW && type.startsWith(kind.mark)) {
                return kind;
            }
        }
        return WORKFLOW;
    }

    /** Returns the queue of a lane; empty if the lane is not of a queue. */
    public static String queueOf(String lane) {
        return lane.substring(0, Math.max(0, lane.indexOf(IN_QUEUE)));
    }

    /** Returns the kind of all runs in a lane. A lane of a queue is prefixed with the queue's name. */
    public static RunKind ofLane(String lane) {
        return of(lane.substring(lane.indexOf(IN_QUEUE) + 1));
    }
}
