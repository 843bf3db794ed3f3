package dev.dormouse.support.upgrade;

import dev.dormouse.inspect.RunStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import javax.sql.DataSource;

/** The rows of a database that no node has open, read past the store. */
final class StoredRuns {
    /**
     * A row of the table of runs.
     *
     * @param events the length of its history
     */
    record Run(String workflowId, UUID runId, RunStatus status, boolean isHeld, int events) {}

    private final DataSource database;
    private final String prefix;

    /** @param prefix the beginning of the names of all tables */
    StoredRuns(DataSource database, String prefix) {
        this.database = database;
        this.prefix = prefix;
    }

    /** Executes the statements of a resource. */
    void load(String dump) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            for (String insert : text(dump).strip().split(";\n", -1)) {
                statement.execute(insert);
            }
        }
    }

    private static String text(String resource) {
        try (InputStream in = Objects.requireNonNull(StoredRuns.class.getResourceAsStream(resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns all runs of a database in a schema before version 8 of PostgreSQL, or 7 of SQLite. */
    List<Run> all() throws SQLException {
        List<Run> runs = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select workflow_id, run_id, status, lease, next_seq from " + prefix + "run")) {
            while (rows.next()) {
                runs.add(new Run(
                        rows.getString(1),
                        id(rows.getObject(2)),
                        RunStatus.of(rows.getInt(3)),
                        rows.getLong(4) != 0,
                        rows.getInt(5)));
            }
        }
        return runs;
    }

    private static UUID id(Object value) {
        if (value instanceof UUID id) {
            return id;
        }
        ByteBuffer bytes = ByteBuffer.wrap((byte[]) value);
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    /** Returns the workflow ids by the status of their runs. */
    static Map<RunStatus, Set<String>> byStatus(List<Run> runs) {
        Map<RunStatus, Set<String>> ids = new TreeMap<>();
        for (Run run : runs) {
            ids.computeIfAbsent(run.status(), status -> new TreeSet<>()).add(run.workflowId());
        }
        return ids;
    }

    /** Returns everything in the table of histories, row by row. */
    Set<String> historyRows() throws SQLException {
        Set<String> all = new HashSet<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select run_id, seq, at, checksum, payload from " + prefix + "history")) {
            while (rows.next()) {
                all.add(id(rows.getObject(1)) + " " + rows.getInt(2) + " " + rows.getLong(3) + " " + rows.getLong(4)
                        + " " + HexFormat.of().formatHex(rows.getBytes(5)));
            }
        }
        return all;
    }

    /** Returns the number of rows of {@code from}, which may have a condition; {@code T:run} is the table of runs. */
    int count(String from) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from " + from.replace("T:", prefix))) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
