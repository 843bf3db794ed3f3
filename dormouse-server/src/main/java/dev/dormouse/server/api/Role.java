package dev.dormouse.server.api;

/** The permissions of a caller. Each role includes the ones before it. */
public enum Role {
    /** May read everything, including payloads, but not the tokens of approvals and activities. */
    READER,
    /** May start, signal, query, update, cancel and retry runs, and change timers, schedules, events and approvals. */
    OPERATOR,
    /** May terminate and reset runs, delete schedules, and store DAGs. */
    ADMIN;

    boolean covers(Role needed) {
        return compareTo(needed) >= 0;
    }
}
