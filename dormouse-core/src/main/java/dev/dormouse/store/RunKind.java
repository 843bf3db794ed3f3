package dev.dormouse.store;

import java.util.EnumSet;
import java.util.Set;

/**
 * What a run is to those who look at it. Types of runs that are no workflows begin with a mark, which no workflow's type
 * can begin with.
 */
public enum RunKind {
    /** A workflow of a user's. */
    WORKFLOW(""),
    /** A timer without a workflow. */
    TIMER("!"),
    /** A schedule. */
    SCHEDULE("%"),
    /** A published event on its way. */
    EVENT("$"),
    /** A single activity of a workflow, in a queue or on another node. */
    ACTIVITY("#");

    /** What users have set an alarm for; the others are inner workings. */
    public static final Set<RunKind> TIMED = Set.copyOf(EnumSet.of(WORKFLOW, TIMER, SCHEDULE));

    public static final Set<RunKind> ALL = Set.copyOf(EnumSet.allOf(RunKind.class));

    /** The first characters of all types that are not a workflow's. */
    public static final String MARKS = TIMER.mark + SCHEDULE.mark + EVENT.mark + ACTIVITY.mark;

    private static final char IN_QUEUE = '@';

    private final String mark;

    RunKind(String mark) {
        this.mark = mark;
    }

    /** What types of this kind begin with; empty for workflows. */
    public String mark() {
        return mark;
    }

    public static RunKind of(String type) {
        for (RunKind kind : values()) {
            if (kind != WORKFLOW && type.startsWith(kind.mark)) {
                return kind;
            }
        }
        return WORKFLOW;
    }

    /** The queue that a lane is of; empty where it is of none. */
    public static String queueOf(String lane) {
        return lane.substring(0, Math.max(0, lane.indexOf(IN_QUEUE)));
    }

    /** The kind of all runs in a lane; that of a queue has the queue's name before it. */
    public static RunKind ofLane(String lane) {
        return of(lane.substring(lane.indexOf(IN_QUEUE) + 1));
    }
}
