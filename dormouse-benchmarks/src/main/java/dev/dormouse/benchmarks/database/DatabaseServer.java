package dev.dormouse.benchmarks.database;

import java.util.List;

/** A server on which databases are created. */
public interface DatabaseServer extends AutoCloseable {

    /** Returns its version and settings, one per line. */
    List<String> description();

    BenchDatabase newDatabase();

    @Override
    void close();
}
