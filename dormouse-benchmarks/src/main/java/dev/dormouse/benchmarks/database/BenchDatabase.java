package dev.dormouse.benchmarks.database;

import java.util.Optional;

/** An empty database for one system and one turn. Closing it deletes it. */
public interface BenchDatabase extends AutoCloseable {

    /** Returns the URL for {@code Dormouse.builder().store(…)}; for PostgreSQL it is the JDBC URL. */
    String url();

    /** Returns statistics of the database, if it is on a server. */
    Optional<DatabaseStatistics> insight();

    @Override
    void close();
}
