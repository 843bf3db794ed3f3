package dev.dormouse.benchmarks.database;

import java.util.Optional;

/** An empty database for one system and one turn. It is gone when it is closed. */
public interface Database extends AutoCloseable {

    /** As {@code Dormouse.builder().store(…)} takes it, and for PostgreSQL as the JDBC driver does. */
    String url();

    /** What can be seen of it from outside, where it is a server's. */
    Optional<Insight> insight();

    @Override
    void close();
}
