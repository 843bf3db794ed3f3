package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.database.Database;
import dev.dormouse.benchmarks.database.Insight;
import dev.dormouse.benchmarks.system.Contender;

/** One system's turn in one round: it has an empty database. */
public record Turn(Contender contender, Database database, Effort effort) {

    <C extends AutoCloseable> C open(Class<C> capability) throws Exception {
        return contender.open(capability, database);
    }

    Insight insight() {
        return database.insight().orElseThrow(() -> new IllegalStateException("Expected a server, but got a file."));
    }
}
