package dev.dormouse.internal.run;

import dev.dormouse.store.run.RunKind;

/** Published events are runs with one step. Their type and ids are marked, so that no workflow can have them by chance. */
public final class EventTypes {
    private static final String MARK = RunKind.EVENT.mark();

    /** The type of them all. */
    public static final String EVENT = MARK + "event";

    private EventTypes() {}

    /**
     * The length of the name stands before it, so that no two events have the same by chance.
     *
     * @param id of the event, which no other of its name has
     */
    public static String workflowId(String event, String id) {
        return MARK + event.length() + "/" + event + "/" + id;
    }

    /** Whether a workflow id is that of an event. */
    public static boolean isEvent(String workflowId) {
        return workflowId.startsWith(MARK);
    }
}
