package dev.dormouse.postgres.sqltimers;

import dev.dormouse.store.base.Micros;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The statement that reads the next due instants of each role and handler, and the server's time. */
public final class ReadAheadStatement {
    /**
     * The number of instants read per role or handler; if that many are found, there may be more. The SQL has the same
     * number.
     */
    static final int READ_AHEAD = 64;

    private ReadAheadStatement() {}

    /** The roles and handlers to read, and the first instant for each. */
    record Asked(List<String> roles, List<Instant> roleFloors, List<String> handlers, List<Instant> handlerFloors) {}

    /**
     * The nearest instants by kind and name.
     *
     * @param complete whether nodes are notified of everything that becomes visible later; if not, look again
     */
    record Found(Instant now, boolean complete, Map<Key, List<Instant>> due) {
        List<Instant> due(Kind kind, String name) {
            return due.getOrDefault(new Key(kind, name), List.of());
        }
    }

    record Key(Kind kind, String name) {}

    enum Kind {
        ACTION,
        APART,
        HANDLER
    }

    static Found run(Connection connection, Asked asked) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select * from timers._look(?, ?, ?, ?)")) {
            statement.setArray(1, texts(connection, asked.roles()));
            statement.setArray(2, micros(connection, asked.roleFloors()));
            statement.setArray(3, texts(connection, asked.handlers()));
            statement.setArray(4, micros(connection, asked.handlerFloors()));
            try (ResultSet rows = statement.executeQuery()) {
                return read(rows);
            }
        }
    }

    private static Found read(ResultSet rows) throws SQLException {
        @Nullable Instant now = null;
        boolean complete = false;
        Map<Key, List<Instant>> due = new HashMap<>();
        while (rows.next()) {
            String kind = rows.getString("kind");
            if (kind.equals("all") || kind.equals("some")) {
                now = Micros.toInstant(rows.getLong("now"));
                complete = kind.equals("all");
            } else {
                due.put(new Key(kind(kind), rows.getString("name")), instants(rows.getArray("due")));
            }
        }
        if (now == null) {
            throw new SQLException("Expected the server's time, but it is not in its answer.");
        }
        return new Found(now, complete, due);
    }

    private static Kind kind(String name) {
        return switch (name) {
            case "action" -> Kind.ACTION;
            case "apart" -> Kind.APART;
            default -> Kind.HANDLER;
        };
    }

    private static List<Instant> instants(Array array) throws SQLException {
        List<Instant> instants = new ArrayList<>();
        Arrays.stream((Long[]) array.getArray()).forEach(micros -> instants.add(Micros.toInstant(micros)));
        return instants;
    }

    private static Array texts(Connection connection, List<String> names) throws SQLException {
        return connection.createArrayOf("text", names.toArray());
    }

    private static Array micros(Connection connection, List<Instant> instants) throws SQLException {
        return connection.createArrayOf(
                "int8", instants.stream().map(Micros::of).toArray());
    }
}
