package dev.dormouse.internal.value;

/** The reserved names of the signals by which events reach runs that wait for them. */
public final class EventSignals {
    /** The name of a signal that delivers an event. */
    public static final String DELIVERED = "dormouse.event";

    /** The name of a signal with the ids of the events that the previous run received. */
    public static final String USED = "dormouse.event.used";

    private EventSignals() {}

    /** Returns true if a signal is not for the workflow, but for its waits. */
    public static boolean isReserved(String signal) {
        return signal.equals(DELIVERED) || signal.equals(USED);
    }
}
