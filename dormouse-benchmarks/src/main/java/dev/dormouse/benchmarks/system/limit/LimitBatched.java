package dev.dormouse.benchmarks.system.limit;

import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.system.BatchedEngine;
import dev.dormouse.benchmarks.system.PlainCalls;
import java.sql.SQLException;

/** A commit at the start, ten calls, and a commit at the end. */
final class LimitBatched implements BatchedEngine {
    private final LimitWorkflows workflows;

    private LimitBatched(LimitWorkflows workflows) {
        this.workflows = workflows;
    }

    static LimitBatched open(BenchDatabase database) throws SQLException {
        return new LimitBatched(LimitWorkflows.open(database));
    }

    @Override
    public void run(String id) throws Exception {
        PlainCalls.ten();
        workflows.run(id, 1);
    }

    @Override
    public void close() {
        workflows.close();
    }
}
