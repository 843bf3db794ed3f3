package dev.dormouse.sqlite.connect;

import java.time.Duration;

/** The purpose of a connection, with its settings. */
public enum ConnectionRole {
    /** The connection for batches. {@link WriteConnection} decides how often it retries. */
    WRITER(Duration.ofMillis(1), 32_768),
    /** A transaction with a user's statements. {@link WriteConnection} decides how often it retries to begin. */
    USER(Duration.ofMillis(1), 8_192),
    /** Waits only while SQLite recovers the file, or while a user changes the schema. */
    READER(Duration.ofSeconds(5), 8_192),
    /** Prepares the file when the store is opened. */
    SETUP(Duration.ofSeconds(5), 8_192);

    /** How long the connection waits for another connection's lock. */
    final Duration patience;

    /** The maximum size of the page cache. */
    final int cacheKibibytes;

    ConnectionRole(Duration patience, int cacheKibibytes) {
        this.patience = patience;
        this.cacheKibibytes = cacheKibibytes;
    }
}
