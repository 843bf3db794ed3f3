package dev.dormouse.demo.worker;

import dev.dormouse.demo.order.Plan;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The settings of a worker.
 *
 * @param folder the folder for its files
 * @param store the URL, which may contain a password: it is sent through a pipe, because arguments are visible to other
 *     users
 * @param schema on PostgreSQL
 * @param name such as A
 * @param port the preferred port of the dashboard
 */
public record WorkerSettings(String folder, String store, String schema, Plan.Pace pace, String name, int port) {
    /** Shorter than the default of 15 s, so that takeovers are quick. */
    public static final Duration LEASE = Duration.ofSeconds(3);

    public static final Duration SWEEP = Duration.ofSeconds(1);

    static final int MANY = 1_000;

    public Path path() {
        return Path.of(folder);
    }

    public WorkerSettings named(String workerName, int workerPort) {
        return new WorkerSettings(folder, store, schema, pace, workerName, workerPort);
    }

    public boolean isSqlite() {
        return store.startsWith("sqlite:");
    }

    @Override
    public String toString() {
        return "worker " + name;
    }
}
