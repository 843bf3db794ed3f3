package dev.dormouse.store;

/** The kinds of outages of a store, as an operator tells them apart. */
public enum StoreTrouble {
    /** The database does not run, or cannot be reached. */
    AWAY("cannot be reached", "can be reached again"),
    /** The database refuses every change: a standby, or a file without write permission. */
    READ_ONLY("can only be read", "can be written again"),
    /** There is no space left for the database. */
    FULL("has no space left", "has space again"),
    /** The database takes long, or another session holds locks. */
    BLOCKED("is slow or locked", "answers in time again"),
    /** The database's file was deleted, renamed or replaced. It does not end until the store is opened again. */
    REPLACED("was deleted, renamed or replaced", "is in its place again"),
    /** The database answers with an error. */
    REFUSED("answers with an error", "answers without errors again");

    private final String begins;
    private final String ends;

    StoreTrouble(String begins, String ends) {
        this.begins = begins;
        this.ends = ends;
    }

    /** Returns what the store does while it lasts, such as {@code cannot be reached}. */
    public String begins() {
        return begins;
    }

    /** Returns what the store does after it, such as {@code can be reached again}. */
    public String ends() {
        return ends;
    }
}
