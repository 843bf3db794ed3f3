package dev.dormouse.internal.run;

import dev.dormouse.store.run.RunKind;

/** Types and workflow ids of timers, which are runs with one step. Both have a mark that no workflow has. */
public final class TimerTypes {
    private static final String MARK = RunKind.TIMER.mark();

    private TimerTypes() {}

    /** Returns the type of a handler's timers. */
    public static String of(String handler) {
        return MARK + handler;
    }

    /** Returns true if a type, or a workflow id, is that of a timer. */
    public static boolean isTimer(String typeOrId) {
        return typeOrId.startsWith(MARK);
    }

    /** Returns the handler of a timer type. */
    public static String handler(String type) {
        return type.substring(MARK.length());
    }

    /** Returns the workflow id of a timer. */
    public static String workflowId(String timerId) {
        return MARK + timerId;
    }

    /** Returns the timer id of a workflow id. */
    public static String timerId(String workflowId) {
        return workflowId.substring(MARK.length());
    }
}
