package dev.dormouse.internal.run;

import dev.dormouse.store.run.RunKind;

/** Timers are runs with one step. Their types and ids are marked, so that no workflow can have them by chance. */
public final class TimerTypes {
    private static final String MARK = RunKind.TIMER.mark();

    private TimerTypes() {}

    /** The type of a handler's timers. */
    public static String of(String handler) {
        return MARK + handler;
    }

    /** Whether a type, or a workflow id, is that of a timer. */
    public static boolean isTimer(String typeOrId) {
        return typeOrId.startsWith(MARK);
    }

    /** The handler of a type. */
    public static String handler(String type) {
        return type.substring(MARK.length());
    }

    /** The workflow id of a timer. */
    public static String workflowId(String timerId) {
        return MARK + timerId;
    }

    /** The timer of a workflow id. */
    public static String timerId(String workflowId) {
        return workflowId.substring(MARK.length());
    }
}
