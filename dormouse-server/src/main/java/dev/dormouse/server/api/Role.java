package dev.dormouse.server.api;

/** What a caller may do. Each role may do all that the ones before it may. */
public enum Role {
    /** Look at everything, payloads included, but no tokens of approvals and activities. */
    READER,
    /** Start, signal, query, update, cancel, retry; timers, schedules, events and approvals. */
    OPERATOR,
    /** Terminate, reset, delete schedules, store DAGs. */
    ADMIN;

    boolean covers(Role needed) {
        return compareTo(needed) >= 0;
    }
}
