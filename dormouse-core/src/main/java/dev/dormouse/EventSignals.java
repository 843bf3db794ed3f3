package dev.dormouse;

/** The reserved names of the signals by which events reach runs that wait for them. */
final class EventSignals {
    /** The name of a signal that delivers an event. */
    static final String DELIVERED = "dormouse.event";

    /** The name of a signal with the ids of the events that the previous run received. */
    static final String USED = "dormouse.event.used";

    private EventSignals() {}

    /** Returns true if a signal is not for the workflow, but for its waits. */
    static boolean isReserved(String signal) {
        return signal.equals(DELIVERED) || signal.equals(USED);
    }
}
