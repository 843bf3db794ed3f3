package dev.dormouse.sqlite.page;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.sqlite.sql.RunRows;
import dev.dormouse.sqlite.sql.SqlSession;
import dev.dormouse.sqlite.sql.StatementCall;
import dev.dormouse.sqlite.sql.UuidBytes;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.page.RunPage;
import dev.dormouse.store.run.RunKind;
import dev.dormouse.store.run.RunRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lists of runs, page by page. SQLite returns rows in index order and the filter is applied here, so that the next page
 * can start where this one stopped, even if nothing matched.
 */
public final class ListStatements {
    static final String NEWEST_FIRST = """
            select %s from dormouse_run
            where shard = ? and run_id < ?
            order by run_id desc""".formatted(RunRows.COLUMNS);

    /** Stuck and failed runs, by the index that has only those. A status that is not requested is -1. */
    static final String TROUBLED = """
            select %1$s from dormouse_run indexed by dormouse_run_troubled
            where shard = ?1 and status = ?3 and status in (4, 11, 13) and run_id < ?2
            union all
            select %1$s from dormouse_run indexed by dormouse_run_troubled
            where shard = ?1 and status = ?4 and status in (4, 11, 13) and run_id < ?2
            union all
            select %1$s from dormouse_run indexed by dormouse_run_troubled
            where shard = ?1 and status = ?5 and status in (4, 11, 13) and run_id < ?2
            order by run_id desc""".formatted(RunRows.COLUMNS);

    private static final List<RunStatus> IN_TROUBLE = List.of(RunStatus.STUCK, RunStatus.FAILED, RunStatus.TIMED_OUT);

    /** Merges two indexes that have this order: one of the current runs, one of the replaced runs. */
    static final String BY_WORKFLOW_ID = """
            select %1$s from dormouse_run indexed by dormouse_run_current
            where shard = ?1 and current = 1 and (workflow_id, run_id) > (?2, ?3) and workflow_id < ?4
            union all
            select %1$s from dormouse_run indexed by dormouse_run_replaced
            where shard = ?1 and current = 0 and (workflow_id, run_id) > (?2, ?3) and workflow_id < ?4
            order by workflow_id, run_id""".formatted(RunRows.COLUMNS);

    private static final byte[] BEFORE_ALL_IDS = {};

    /** SQLite sorts any blob after any text. */
    private static final byte[] AFTER_ALL_TEXT = {};

    private ListStatements() {}

    public static RunPage page(SqlSession session, int shard, RunFilter filter, Optional<String> page, int limit)
            throws SQLException {
        Page found = new Page(filter, limit);
        String prefix = filter.workflowIdPrefix();
        if (filter.isForTroubled()) {
            troubled(session, shard, filter, page.map(Place::parse)).each(found::see);
        } else if (prefix == null) {
            newestFirst(session, shard, page.map(Place::parse)).each(found::see);
        } else {
            byWorkflowId(session, shard, prefix, page.map(Place::parse)).each(found::see);
        }
        return found.toPage();
    }

    private static StatementCall newestFirst(SqlSession session, int shard, Optional<Place> after) throws SQLException {
        return session.call(NEWEST_FIRST)
                .with(shard)
                .with(after.map(place -> UuidBytes.toBytes(place.runId())).orElseGet(UuidBytes::afterAll));
    }

    private static StatementCall troubled(SqlSession session, int shard, RunFilter filter, Optional<Place> after)
            throws SQLException {
        StatementCall call = session.call(TROUBLED)
                .with(shard)
                .with(after.map(place -> UuidBytes.toBytes(place.runId())).orElseGet(UuidBytes::afterAll));
        for (RunStatus status : IN_TROUBLE) {
            call.with(filter.statuses().contains(status) ? status.code() : -1);
        }
        return call;
    }

    private static StatementCall byWorkflowId(SqlSession session, int shard, String prefix, Optional<Place> after)
            throws SQLException {
        StatementCall call = session.call(BY_WORKFLOW_ID)
                .with(shard)
                .with(after.map(Place::workflowId).orElse(prefix))
                .with(after.map(place -> UuidBytes.toBytes(place.runId())).orElse(BEFORE_ALL_IDS));
        String end = endOf(prefix);
        return end == null ? call.with(AFTER_ALL_TEXT) : call.with(end);
    }

    /** Returns the first text after all texts with this prefix; null if there is none. */
    static @Nullable String endOf(String prefix) {
        int[] points = prefix.codePoints().toArray();
        for (int last = points.length - 1; last >= 0; last--) {
            if (points[last] < Character.MAX_CODE_POINT) {
                int next = points[last] + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : points[last] + 1;
                return new String(points, 0, last) + Character.toString(next);
            }
        }
        return null;
    }

    /** The last row that a page looked at. */
    private record Place(UUID runId, String workflowId) {
        private static final int ID_LENGTH = new UUID(0, 0).toString().length();

        static Place parse(String text) {
            try {
                return new Place(UUID.fromString(text.substring(0, ID_LENGTH)), text.substring(ID_LENGTH));
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                throw new DormouseException(
                        ErrorCode.BAD_ARGUMENT,
                        "Expected a page as the page before named it, but got \"" + text
                                + "\". Hand it on as it is, or begin with the first page.",
                        e);
            }
        }

        @Override
        public String toString() {
            return runId + workflowId;
        }
    }

    /** A page under construction. */
    private static final class Page {
        private final int limit;
        private final long mostSeen;
        private final @Nullable String type;
        private final List<Integer> statuses;
        private final boolean workflowsOnly;
        private final List<RunRow> matching = new ArrayList<>();
        private long seen;
        private @Nullable Place last;
        private boolean isMore;

        Page(RunFilter filter, int limit) {
            this.limit = limit;
            this.mostSeen = 10L * limit + 1_000;
            this.type = filter.type();
            this.workflowsOnly = filter.workflowsOnly();
            this.statuses =
                    filter.statuses().stream().map(status -> status.code()).collect(Collectors.toList());
        }

        boolean see(ResultSet row) throws SQLException {
            if (matching.size() == limit || seen == mostSeen) {
                isMore = true;
                return false;
            }
            seen++;
            last = new Place(UuidBytes.toId(row.getBytes(RunRows.RUN_ID)), row.getString(RunRows.WORKFLOW_ID));
            if (matches(row)) {
                matching.add(RunRows.read(row));
            }
            return true;
        }

        private boolean matches(ResultSet row) throws SQLException {
            return (type == null || type.equals(row.getString(RunRows.TYPE)))
                    && (!workflowsOnly || RunKind.of(row.getString(RunRows.TYPE)) == RunKind.WORKFLOW)
                    && (statuses.isEmpty() || statuses.contains(row.getInt(RunRows.STATUS)));
        }

        RunPage toPage() {
            return new RunPage(matching, isMore && last != null ? last.toString() : null);
        }
    }
}
