package dev.dormouse.sqlite.run;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.sqlite.sql.Tx;
import dev.dormouse.sqlite.sql.UuidBytes;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.Purged;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The deletion of runs that closed long ago. Deletes the inbox and subscriptions of a workflow id together with its
 * current run, which is its latest: runs are visited from the oldest on.
 */
public final class PurgeStatements {
    static final String LOOK = """
            select run_id, workflow_id, current, closed_at < ? and not (current and status = ?) from dormouse_run
            where shard = ? and run_id > ?
            order by run_id
            limit ?""";

    static final String DELETE_HISTORY = "delete from dormouse_history where shard = ? and run_id = ?";
    static final String DELETE_INBOX = "delete from dormouse_inbox where shard = ? and workflow_id = ?";
    static final String DELETE_SUBSCRIPTIONS = "delete from dormouse_subscription where shard = ? and workflow_id = ?";
    static final String DELETE_RUN = "delete from dormouse_run where shard = ? and run_id = ?";

    static final String DELETE_NOTES = "delete from dormouse_note where shard = ? and run_id = ?";

    private static final byte[] BEFORE_ALL = {};

    private PurgeStatements() {}

    /** A visited run. An open run has no end that could have expired, and a continued run is kept for its successor. */
    private record Seen(UUID runId, String workflowId, boolean isCurrent, boolean isOver) {
        static Seen read(ResultSet row) throws SQLException {
            return new Seen(UuidBytes.toId(row.getBytes(1)), row.getString(2), row.getBoolean(3), row.getBoolean(4));
        }
    }

    public static Purged apply(Tx tx, Instant closedBefore, Optional<UUID> after, int limit) throws SQLException {
        List<Seen> seen = tx.call(LOOK)
                .with(Micros.of(closedBefore))
                .with(RunStatus.CONTINUED.code())
                .with(tx.shard())
                .with(after.map(UuidBytes::toBytes).orElse(BEFORE_ALL))
                .with(limit)
                .all(Seen::read);
        int deleted = 0;
        for (Seen run : seen) {
            if (run.isOver()) {
                delete(tx, run);
                deleted++;
            }
        }
        return new Purged(
                deleted,
                seen.size() < limit
                        ? Optional.empty()
                        : Optional.of(seen.get(seen.size() - 1).runId()));
    }

    private static void delete(Tx tx, Seen run) throws SQLException {
        tx.call(DELETE_HISTORY).with(tx.shard()).with(run.runId()).update();
        tx.call(DELETE_NOTES).with(tx.shard()).with(run.runId()).update();
        if (run.isCurrent()) {
            tx.call(DELETE_INBOX).with(tx.shard()).with(run.workflowId()).update();
            tx.call(DELETE_SUBSCRIPTIONS)
                    .with(tx.shard())
                    .with(run.workflowId())
                    .update();
        }
        tx.call(DELETE_RUN).with(tx.shard()).with(run.runId()).update();
    }
}
