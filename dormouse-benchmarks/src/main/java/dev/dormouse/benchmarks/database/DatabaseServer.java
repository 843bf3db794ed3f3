package dev.dormouse.benchmarks.database;

import java.time.Duration;
import java.util.List;

/** A server on which databases are created. */
public interface DatabaseServer extends AutoCloseable {

    /** Returns its version and settings, one per line. */
    List<String> description();

    BenchDatabase newDatabase();

    /** Returns its processor time on this machine; zero if unknown, or for a file. */
    default Duration processorTime() {
        return Duration.ZERO;
    }

    @Override
    void close();
}
