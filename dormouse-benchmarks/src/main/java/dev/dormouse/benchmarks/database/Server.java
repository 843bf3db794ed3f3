package dev.dormouse.benchmarks.database;

import java.util.List;

/** Where databases are made. */
public interface Server extends AutoCloseable {

    /** Version and settings, one in a line. */
    List<String> description();

    Database newDatabase();

    @Override
    void close();
}
