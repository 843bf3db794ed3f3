package dev.dormouse.chaos.cluster;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.dormouse.chaos.workload.RunStep;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.EventCodec;
import dev.dormouse.postgres.run.InlineHistory;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Reads and writes the rows of a store directly, without the engine.
 *
 * @param url the JDBC URL
 * @param prefix the prefix of table names
 */
public record StoreTables(String url, String prefix) {

    /** The state of a run, as stored in its row. */
    public record Row(
            UUID runId, String workflowId, RunStatus status, String owner, long lease, int takeovers, String trouble) {}

    public interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    public <T> List<T> select(String sql, Reader<T> reader) {
        try (IdleConnections.Lent lent = IdleConnections.lend(url);
                Statement statement = lent.connection().createStatement();
                ResultSet rows = statement.executeQuery(sql.replace("${prefix}", prefix))) {
            List<T> list = new ArrayList<>();
            while (rows.next()) {
                list.add(reader.read(rows));
            }
            return list;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    public void execute(String... statements) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql.replace("${prefix}", prefix));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public List<Row> runs() {
        return select(
                """
                select run_id, workflow_id, status, owner, lease, takeovers, trouble
                from ${prefix}run
                """,
                row -> new Row(
                        uuid(row.getObject(1)),
                        row.getString(2),
                        RunStatus.of(row.getInt(3)),
                        row.getString(4),
                        row.getLong(5),
                        row.getInt(6),
                        row.getString(7)));
    }

    public Row run(String workflowId) {
        return runs().stream()
                .filter(row -> row.workflowId().equals(workflowId))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the number of runs by status. */
    public Map<RunStatus, Long> statuses() {
        Map<RunStatus, Long> counts = new EnumMap<>(RunStatus.class);
        select("""
                        select status, count(*)
                        from ${prefix}run
                        group by status
                        """, row -> Map.entry(RunStatus.of(row.getInt(1)), row.getLong(2)))
                .forEach(entry -> counts.put(entry.getKey(), entry.getValue()));
        return counts;
    }

    /** Returns the number of messages accepted so far. */
    public long mailCount() {
        return select("select coalesce(sum(mail), 0) from ${prefix}run", row -> row.getLong(1))
                .get(0);
    }

    /** A part of a run's history: the events that one commit has written, from position {@code seq} on. */
    private record Part(UUID runId, int seq, List<Event> events) {}

    /** Returns the events of all runs, each list in order. */
    public Map<UUID, List<Event>> histories() {
        return histories("true");
    }

    /** Returns the number of commits that have added events to a run. */
    public int commits(UUID run) {
        return parts(only(run)).size();
    }

    private Map<UUID, List<Event>> histories(String condition) {
        Map<UUID, List<Event>> histories = new TreeMap<>();
        parts(condition)
                .forEach(part -> histories
                        .computeIfAbsent(part.runId, id -> new ArrayList<>())
                        .addAll(part.events));
        return histories;
    }

    private List<Part> parts(String condition) {
        List<Part> parts = new ArrayList<>(select(
                "select run_id, seq, payload from ${prefix}history where " + condition,
                row -> new Part(uuid(row.getObject(1)), row.getInt(2), EventCodec.decode(row.getBytes(3)))));
        if (!isSqlite()) {
            select(
                            "select run_id, inline_history from ${prefix}run where inline_history is not null and "
                                    + condition,
                            row -> inline(uuid(row.getObject(1)), row.getBytes(2)))
                    .forEach(parts::addAll);
        }
        parts.sort(Comparator.comparingInt(Part::seq));
        return parts;
    }

    private String only(UUID run) {
        String id = run.toString().replace("-", "");
        return "shard = 0 and run_id = " + (isSqlite() ? "x'" + id + "'" : "'" + id + "'");
    }

    /** Reads the part of a history that PostgreSQL keeps in the run's own row. */
    private static List<Part> inline(UUID runId, byte[] column) {
        return InlineHistory.rows(runId, column).stream()
                .map(row -> new Part(runId, row.seq(), EventCodec.decode(row.payload())))
                .toList();
    }

    private boolean isSqlite() {
        return url.startsWith("jdbc:sqlite:");
    }

    /** Returns the first timer of a run. */
    public Event.TimerScheduled timer(UUID run) {
        return histories(only(run)).values().stream()
                .flatMap(List::stream)
                .filter(Event.TimerScheduled.class::isInstance)
                .map(Event.TimerScheduled.class::cast)
                .findFirst()
                .orElseThrow();
    }

    /** Returns how often each step was recorded as completed. */
    public Map<RunStep, Long> completedSteps() {
        List<RunStep> steps = new ArrayList<>();
        histories()
                .forEach((run, events) -> events.forEach(event -> {
                    if (event instanceof Event.StepCompleted step) {
                        steps.add(new RunStep(run, step.name()));
                    }
                }));
        return steps.stream().collect(groupingBy(step -> step, counting()));
    }

    public static UUID uuid(Object value) {
        if (value instanceof byte[] bytes) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            return new UUID(buffer.getLong(), buffer.getLong());
        }
        return (UUID) value;
    }
}
