package dev.dormouse.benchmarks.system.limit;

import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.system.StepEngine;
import dev.dormouse.postgres.PostgresStoreProvider;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The commits of a workflow one after the other: its start, each result, and the last result together with the end.
 */
final class LimitWorkflows implements StepEngine {
    private static final long LEASE = 42;

    private final AtomicLong ids = new AtomicLong(System.currentTimeMillis() << 20);
    private final BatchWriters writers;

    private LimitWorkflows(BatchWriters writers) {
        this.writers = writers;
    }

    static LimitWorkflows open(BenchDatabase database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.url());
                Statement statement = connection.createStatement()) {
            statement.execute("create schema if not exists " + BatchWriters.SCHEMA);
            statement.execute(PostgresStoreProvider.schemaSql(BatchWriters.SCHEMA));
        }
        return new LimitWorkflows(BatchWriters.open(database.url()));
    }

    @Override
    public void run(String id, int steps) throws Exception {
        UUID run = new UUID(ids.incrementAndGet(), ThreadLocalRandom.current().nextLong());
        writers.start(new Start(run, id, LEASE)).get();
        for (int step = 1; step <= steps; step++) {
            writers.commit(new Commit(run, LEASE, step, step == steps)).get();
        }
    }

    @Override
    public void close() {
        writers.close();
    }

    /** The first row of a run. */
    record Start(UUID run, String workflowId, long lease) {}

    /** A later row of a run. */
    record Commit(UUID run, long lease, int sequence, boolean isLast) {}
}
