package dev.dormouse.sqlite.run;

import dev.dormouse.sqlite.sql.RunRows;
import dev.dormouse.sqlite.sql.SqlSession;
import dev.dormouse.store.run.RunRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Statements that read runs by run id or workflow id. */
public final class RunStatements {
    static final String BY_ID = """
            select %s from dormouse_run
            where shard = ? and run_id = ?""".formatted(RunRows.COLUMNS);

    static final String CURRENT = """
            select %s from dormouse_run indexed by dormouse_run_current
            where shard = ? and workflow_id = ? and current = 1""".formatted(RunRows.COLUMNS);

    private RunStatements() {}

    public static Optional<RunRow> byId(SqlSession session, int shard, UUID runId) throws SQLException {
        return session.call(BY_ID).with(shard).with(runId).first(RunRows::read);
    }

    public static Optional<RunRow> current(SqlSession session, int shard, String workflowId) throws SQLException {
        return session.call(CURRENT).with(shard).with(workflowId).first(RunRows::read);
    }

    public static List<RunRow> byIds(SqlSession session, int shard, List<UUID> runIds) throws SQLException {
        List<RunRow> found = new ArrayList<>(runIds.size());
        for (UUID runId : new LinkedHashSet<>(runIds)) {
            byId(session, shard, runId).ifPresent(found::add);
        }
        return found;
    }
}
