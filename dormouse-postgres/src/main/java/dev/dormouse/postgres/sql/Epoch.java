package dev.dormouse.postgres.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;

/**
 * A value that changes when the database may have lost confirmed commits: a promoted standby or a restored backup
 * writes its log on a new timeline. Statements evaluate it, so it is that of the server that executes them. When the
 * store is opened, the first of these expressions that the engine's role may
 * evaluate is chosen:
 *
 * <ol>
 *   <li>the identity of the cluster and its current timeline. Any role may read both, unless the right was revoked.
 *       (The timeline of the last checkpoint would lag behind a promotion.)
 *   <li>the timeline alone.
 *   <li>the start time of the server, if there is no write-ahead log to read (some managed databases). Every restart
 *       then counts as a possible loss, which costs replays and loses nothing.
 * </ol>
 */
public record Epoch(String expression) {
    /**
     * A setting of the engine's sessions with the identity of their cluster. To read it takes longer than a short
     * statement, because PostgreSQL reads a file, and it cannot change during a session. Elsewhere the setting is missing.
     */
    private static final String IDENTITY = "dormouse.cluster";

    private static final String CLUSTER = "system_identifier::text from pg_catalog.pg_control_system()";
    private static final String TIMELINE = "left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)";

    private static final List<Epoch> CANDIDATES = List.of(
            new Epoch("coalesce(nullif(current_setting('" + IDENTITY + "', true), ''), (select " + CLUSTER
                    + ")) || '/' || " + TIMELINE),
            new Epoch(TIMELINE),
            new Epoch("(extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint::text"));

    /** No privilege, no such function, not supported: try the next expression. Any other error is a failure. */
    private static final Set<String> NOT_AVAILABLE = Set.of(SqlErrors.INSUFFICIENT_PRIVILEGE, "42883", "0A000");

    /**
     * Fills in <code>${fence}</code>, a condition on the columns {@code epoch} and {@code not_after} of a batch {@code
     * b}: its {@link dev.dormouse.store.run.OutboxFence} holds. Both columns are null in every row of a batch that does not
     * come from an outbox.
     */
    public String sql(String template) {
        return template.replace(
                "${fence}",
                "(b.epoch is null or b.epoch = '' or b.epoch = (select " + expression
                        + ")) and (b.not_after is null or b.not_after >= ${now})");
    }

    /** Keeps the identity of the cluster in the session, if the role may read it. */
    public static void rememberCluster(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("select pg_catalog.set_config('" + IDENTITY + "', (select " + CLUSTER + "), false)");
        } catch (SQLException e) {
            if (!NOT_AVAILABLE.contains(SqlErrors.state(e))) {
                throw e;
            }
        }
    }

    public static Epoch best(Connection connection) throws SQLException {
        for (Epoch candidate : CANDIDATES) {
            if (isAvailable(candidate, connection)) {
                return candidate;
            }
        }
        return CANDIDATES.get(CANDIDATES.size() - 1);
    }

    private static boolean isAvailable(Epoch candidate, Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select " + candidate.expression)) {
            return rows.next();
        } catch (SQLException e) {
            if (NOT_AVAILABLE.contains(SqlErrors.state(e))) {
                return false;
            }
            throw e;
        }
    }
}
