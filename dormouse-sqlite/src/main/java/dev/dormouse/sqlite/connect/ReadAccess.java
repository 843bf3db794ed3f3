package dev.dormouse.sqlite.connect;

import dev.dormouse.sqlite.sql.SqlSession;
import java.sql.SQLException;

/** A lender of sessions for reading. */
public interface ReadAccess extends AutoCloseable {

    <T> T read(Work<T> work) throws SQLException;

    @Override
    void close();

    /** Work with the session, on the thread of the caller. */
    @FunctionalInterface
    interface Work<T> {
        T run(SqlSession session) throws SQLException;
    }
}
