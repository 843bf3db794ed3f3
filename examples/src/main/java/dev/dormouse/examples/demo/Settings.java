package dev.dormouse.examples.demo;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What a worker is told when it starts.
 *
 * @param folder where it may write
 * @param store the URL, which may have a password: so it goes through a pipe and is no argument that others can see
 * @param schema on PostgreSQL
 * @param name such as A
 * @param port where it should serve the dashboard, if that is free
 */
record Settings(String folder, String store, String schema, Plan.Pace pace, String name, int port) {
    /** Short, so that nobody has to wait for the other worker to take over: 15 s is the default. */
    static final Duration LEASE = Duration.ofSeconds(3);

    static final Duration SWEEP = Duration.ofSeconds(1);

    static final int MANY = 1_000;

    Path path() {
        return Path.of(folder);
    }

    Settings named(String workerName, int workerPort) {
        return new Settings(folder, store, schema, pace, workerName, workerPort);
    }

    boolean isSqlite() {
        return store.startsWith("sqlite:");
    }

    @Override
    public String toString() {
        return "worker " + name;
    }
}
