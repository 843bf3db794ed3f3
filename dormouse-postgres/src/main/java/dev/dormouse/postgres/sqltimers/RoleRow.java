package dev.dormouse.postgres.sqltimers;

/** A role that may set timers, or could once, and what has become of it. */
record RoleRow(String name, State state) {
    enum State {
        ENABLED,
        DISABLED,
        /** Dropped and created again: somebody else, until it is enabled anew. */
        REPLACED,
        /** It has another name now, under which it is enabled anew. */
        RENAMED,
        DROPPED
    }
}
