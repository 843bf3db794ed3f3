package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.database.DatabaseStatistics;
import dev.dormouse.benchmarks.load.ClosedLoopLoad;
import dev.dormouse.benchmarks.load.Pause;
import dev.dormouse.benchmarks.measure.ResourceUsage;
import dev.dormouse.benchmarks.system.Contender;
import java.time.Instant;

/** One system's turn in one round, with an empty database. */
public record Turn(Contender contender, BenchDatabase database, BenchmarkScale effort) {

    <C extends AutoCloseable> C open(Class<C> capability) throws Exception {
        return contender.open(capability, database);
    }

    /**
     * Runs an operation repeatedly with {@code inFlight} in flight, and counts after the warm-up for the window of the
     * scale.
     */
    ClosedLoopLoad.Outcome load(int inFlight, ClosedLoopLoad.Operation operation) throws Exception {
        return new ClosedLoopLoad(inFlight, operation).run(effort.warmUp(), effort.window(), this::usage);
    }

    /** Returns the resources that this process and the server have used so far. */
    ResourceUsage usage() {
        return ResourceUsage.now(database.insight());
    }

    /** Waits until {@code instant}, unless it has passed. Returns the resources used so far. */
    ResourceUsage usageAt(Instant instant) throws InterruptedException {
        Pause.until(instant);
        return usage();
    }

    DatabaseStatistics insight() {
        return database.insight().orElseThrow(() -> new IllegalStateException("Expected a server, but got a file."));
    }
}
