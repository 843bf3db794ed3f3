package dev.dormouse.benchmarks.system.limit;

import dev.dormouse.benchmarks.database.Database;
import dev.dormouse.benchmarks.system.Steps;
import dev.dormouse.postgres.PostgresStoreProvider;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** The commits of a workflow one after the other: its start, a result each, the last result with the end. */
final class LimitWorkflows implements Steps {
    private static final long LEASE = 42;

    private final AtomicLong ids = new AtomicLong(System.currentTimeMillis() << 20);
    private final Writers writers;

    private LimitWorkflows(Writers writers) {
        this.writers = writers;
    }

    static LimitWorkflows open(Database database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.url());
                Statement statement = connection.createStatement()) {
            statement.execute("create schema if not exists " + Writers.SCHEMA);
            statement.execute(PostgresStoreProvider.schemaSql(Writers.SCHEMA));
        }
        return new LimitWorkflows(Writers.open(database.url()));
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

    /** A run's first row. */
    record Start(UUID run, String workflowId, long lease) {}

    /** A run's next one. */
    record Commit(UUID run, long lease, int sequence, boolean isLast) {}
}
