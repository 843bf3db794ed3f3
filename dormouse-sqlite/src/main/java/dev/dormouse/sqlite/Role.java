package dev.dormouse.sqlite;

import java.time.Duration;

/** What a connection is for. */
enum Role {
    /** The one that batches go through. How often it tries again is up to the {@link Writer}. */
    WRITER(Duration.ofMillis(1), 32_768),
    /** A transaction with a user's statements. How often it tries to begin is up to the {@link Writer} too. */
    USER(Duration.ofMillis(1), 8_192),
    /** Waits only while SQLite recovers the file, or while a user changes the schema. */
    READER(Duration.ofSeconds(5), 8_192),
    /** Prepares the file at opening. */
    SETUP(Duration.ofSeconds(5), 8_192);

    /** How long it waits for somebody else's lock. */
    final Duration patience;

    /** How much of the file it keeps in memory at most. */
    final int cacheKibibytes;

    Role(Duration patience, int cacheKibibytes) {
        this.patience = patience;
        this.cacheKibibytes = cacheKibibytes;
    }
}
