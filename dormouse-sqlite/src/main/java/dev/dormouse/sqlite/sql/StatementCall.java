package dev.dormouse.sqlite.sql;

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
public final class StatementCall {
    private final SqlSession session;
    private final String sql;
    private final PreparedStatement statement;
    private int parameters;

    StatementCall(SqlSession session, String sql, PreparedStatement statement) {
        this.session = session;
        this.sql = sql;
        this.statement = statement;
    }

    public StatementCall with(int value) throws SQLException {
        statement.setInt(++parameters, value);
        return this;
    }

    public StatementCall with(long value) throws SQLException {
        statement.setLong(++parameters, value);
        return this;
    }

    public StatementCall withOptional(@Nullable Long value) throws SQLException {
        if (value == null) {
            statement.setNull(++parameters, Types.BIGINT);
            return this;
        }
        return with(value.longValue());
    }

    public StatementCall with(@Nullable String value) throws SQLException {
        TextCheck.check(value);
        statement.setString(++parameters, value);
        return this;
    }

    public StatementCall with(byte[] value) throws SQLException {
        statement.setBytes(++parameters, value);
        return this;
    }

    public StatementCall with(boolean value) throws SQLException {
        return with(value ? 1 : 0);
    }

    public StatementCall with(UUID id) throws SQLException {
        return with(UuidBytes.toBytes(id));
    }

    /** Executes the statement and returns the number of changed rows. */
    public int update() throws SQLException {
        try {
            return statement.executeUpdate();
        } catch (SQLException e) {
            session.forget(sql);
            throw e;
        }
    }

    public <T> Optional<T> first(Reader<T> reader) throws SQLException {
        List<T> found = new ArrayList<>(1);
        each(row -> {
            found.add(reader.read(row));
            return false;
        });
        return found.isEmpty() ? Optional.empty() : Optional.of(found.get(0));
    }

    public <T> List<T> all(Reader<T> reader) throws SQLException {
        List<T> found = new ArrayList<>();
        each(row -> found.add(reader.read(row)));
        return found;
    }

    /** Passes each row to {@code visitor} as SQLite finds it, until the visitor returns false. */
    public void each(Visitor visitor) throws SQLException {
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
    public interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    @FunctionalInterface
    public interface Visitor {
        /** Returns true to continue with the next row. */
        boolean visit(ResultSet row) throws SQLException;
    }
}
