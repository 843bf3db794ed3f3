package dev.dormouse.postgres.sqltimers;

/** A role that may schedule timers, or could once, and its state. */
record RoleRow(String name, State state) {
    enum State {
        ENABLED,
        DISABLED,
        /** Dropped and created again: another role of the same name, until it is enabled again. */
        REPLACED,
        /** It has another name now, under which it must be enabled again. */
        RENAMED,
        DROPPED
    }
}
