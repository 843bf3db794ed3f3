package dev.dormouse.inspect;

/** The kinds of store outages that an operator distinguishes. */
public enum StoreTrouble {
    /** The database is not running or cannot be reached. */
    AWAY("cannot be reached", "can be reached again"),
    /** The database refuses every change: it is a standby, or a file without write permission. */
    READ_ONLY("can only be read", "can be written again"),
    /** The database has no space left. */
    FULL("has no space left", "has space again"),
    /** The database is slow, or another session holds locks. */
    BLOCKED("is slow or locked", "answers in time again"),
    /** The database file was deleted, renamed or replaced. The outage lasts until the store is opened again. */
    REPLACED("was deleted, renamed or replaced", "is in its place again"),
    /** The database returns an error. */
    REFUSED("answers with an error", "answers without errors again");

    private final String begins;
    private final String ends;

    StoreTrouble(String begins, String ends) {
        this.begins = begins;
        this.ends = ends;
    }

    /** Returns a predicate that describes the outage, such as {@code cannot be reached}. */
    public String begins() {
        return begins;
    }

    /** Returns a predicate that describes the end of the outage, such as {@code can be reached again}. */
    public String ends() {
        return ends;
    }
}
