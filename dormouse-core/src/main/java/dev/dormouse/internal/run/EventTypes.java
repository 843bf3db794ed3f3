package dev.dormouse.internal.run;

import dev.dormouse.store.run.RunKind;

/**
 * The type and workflow ids of published events, which are runs with one step. Both have a mark that no workflow has.
 */
public final class EventTypes {
    private static final String MARK = RunKind.EVENT.mark();

    /** The type of all published events. */
    public static final String EVENT = MARK + "event";

    private EventTypes() {}

    /**
     * Returns the workflow id of an event. The length of the name precedes it, so that ids of different events never
     * collide.
     *
     * @param id the id of the event, unique among events of its name
     */
    public static String workflowId(String event, String id) {
        return MARK + event.length() + "/" + event + "/" + id;
    }

    /** Returns true if a workflow id is that of an event. */
    public static boolean isEvent(String workflowId) {
        return workflowId.startsWith(MARK);
    }
}
