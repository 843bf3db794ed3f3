package dev.dormouse.benchmarks.database;

import java.time.Duration;
import java.util.List;

/** Where databases are made. */
public interface Server extends AutoCloseable {

    /** Version and settings, one in a line. */
    List<String> description();

    Database newDatabase();

    /** What processors have done for it, as far as this machine can tell; zero where it cannot, or for a file. */
    default Duration processorTime() {
        return Duration.ZERO;
    }

    @Override
    void close();
}
