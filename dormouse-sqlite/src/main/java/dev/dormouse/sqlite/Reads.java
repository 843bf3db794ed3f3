package dev.dormouse.sqlite;

import java.sql.SQLException;

/** Lends a session to whoever wants to read. */
interface Reads extends AutoCloseable {

    <T> T read(Work<T> work) throws SQLException;

    @Override
    void close();

    /** What is done with the session, on the thread that asks. */
    @FunctionalInterface
    interface Work<T> {
        T run(Session session) throws SQLException;
    }
}
