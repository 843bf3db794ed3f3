package dev.dormouse.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;

/**
 * How to notice that the database may have lost commits which it had confirmed: a promoted standby, or a restored backup,
 * writes its log on a new timeline. The best of these expressions that the engine's role may evaluate is chosen when the
 * store is opened:
 *
 * <ol>
 *   <li>the identity of the cluster and the timeline that it writes to. Any role may ask for both, unless somebody revoked
 *       that. (The timeline of the last checkpoint would lag behind a promotion.)
 *   <li>the timeline alone.
 *   <li>where there is no write-ahead log to ask for (some managed databases), the start of the server: every restart
 *       then counts as a possible loss, which costs replays and loses nothing.
 * </ol>
 */
record Epoch(String expression) {
    private static final String TIMELINE = "left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)";

    private static final List<Epoch> CANDIDATES = List.of(
            new Epoch("(select system_identifier::text from pg_control_system()) || '/' || " + TIMELINE),
            new Epoch(TIMELINE),
            new Epoch("(extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint::text"));

    /** No right, no such function, not supported: try the next. Anything else is a failure. */
    private static final Set<String> NOT_AVAILABLE = Set.of(SqlErrors.INSUFFICIENT_PRIVILEGE, "42883", "0A000");

    /**
     * Fills in <code>${fence}</code>, a condition on the columns {@code epoch} and {@code not_after} of a batch {@code b}: that
     * its {@link dev.dormouse.store.OutboxFence} holds. Both are null in every row where nothing comes from an outbox.
     */
    String sql(String template) {
        return template.replace(
                "${fence}",
                "(b.epoch is null or b.epoch = '' or b.epoch = (select " + expression
                        + ")) and (b.not_after is null or b.not_after >= ${now})");
    }

    static Epoch best(Connection connection) throws SQLException {
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
