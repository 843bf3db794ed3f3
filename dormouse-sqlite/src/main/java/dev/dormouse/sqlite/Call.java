package dev.dormouse.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One execution of a prepared statement: its parameters in their order, then {@link #update} or a query. */
final class Call {
    private final Session session;
    private final String sql;
    private final PreparedStatement statement;
    private int parameters;

    Call(Session session, String sql, PreparedStatement statement) {
        this.session = session;
        this.sql = sql;
        this.statement = statement;
    }

    Call with(int value) throws SQLException {
        statement.setInt(++parameters, value);
        return this;
    }

    Call with(long value) throws SQLException {
        statement.setLong(++parameters, value);
        return this;
    }

    Call withOptional(@Nullable Long value) throws SQLException {
        if (value == null) {
            statement.setNull(++parameters, Types.BIGINT);
            return this;
        }
        return with(value.longValue());
    }

    Call with(@Nullable String value) throws SQLException {
        Texts.check(value);
        statement.setString(++parameters, value);
        return this;
    }

    Call with(byte[] value) throws SQLException {
        statement.setBytes(++parameters, value);
        return this;
    }

    Call with(boolean value) throws SQLException {
        return with(value ? 1 : 0);
    }

    Call with(UUID id) throws SQLException {
        return with(Ids.toBytes(id));
    }

    /** How many rows were changed. */
    int update() throws SQLException {
        try {
            return statement.executeUpdate();
        } catch (SQLException e) {
            session.forget(sql);
            throw e;
        }
    }

    <T> Optional<T> first(Reader<T> reader) throws SQLException {
        List<T> found = new ArrayList<>(1);
        each(row -> {
            found.add(reader.read(row));
            return false;
        });
        return found.isEmpty() ? Optional.empty() : Optional.of(found.get(0));
    }

    <T> List<T> all(Reader<T> reader) throws SQLException {
        List<T> found = new ArrayList<>();
        each(row -> found.add(reader.read(row)));
        return found;
    }

    /** Shows row after row, each as SQLite finds it, until the visitor has seen enough. */
    void each(Visitor visitor) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            boolean more = rows.next();
            while (more) {
                more = visitor.visit(rows) && rows.next();
            }
        } catch (SQLException e) {
            session.forget(sql);
            throw e;
        }
    }

    @FunctionalInterface
    interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    @FunctionalInterface
    interface Visitor {
        /** Whether to go on. */
        boolean visit(ResultSet row) throws SQLException;
    }
}
