package dev.dormouse.sqlite.sql;

/**
 * The epoch of every SQLite store. A new epoch says that confirmed commits may have been lost; a file never loses one
 * while its store is open, so there is only this epoch.
 */
public final class Epoch {
    public static final String ONLY = "sqlite";

    private Epoch() {}
}
