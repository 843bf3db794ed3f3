package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.database.DatabaseStatistics;
import dev.dormouse.benchmarks.system.Contender;

/** One system's turn in one round, with an empty database. */
public record Turn(Contender contender, BenchDatabase database, BenchmarkScale effort) {

    <C extends AutoCloseable> C open(Class<C> capability) throws Exception {
        return contender.open(capability, database);
    }

    DatabaseStatistics insight() {
        return database.insight().orElseThrow(() -> new IllegalStateException("Expected a server, but got a file."));
    }
}
