package dev.dormouse.sqlite;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.RunFilter;
import dev.dormouse.store.RunKind;
import dev.dormouse.store.RunPage;
import dev.dormouse.store.RunRow;
import dev.dormouse.store.RunStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a list of runs in pages, each from where the page before ended. SQLite finds row after row in the order of an
 * index, and the filter is applied here, so that it is known how far a page looked even when nothing matched.
 */
final class Lists {
    static final String NEWEST_FIRST = """
            select %s from dormouse_run
            where shard = ? and run_id < ?
            order by run_id desc""".formatted(RunRows.COLUMNS);

    /** Of runs that are stuck or have failed, by the index that has only those; a status that is not wanted is -1. */
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

    /** Two indexes, each in this order, are merged: one of the current runs, one of those that were replaced. */
    static final String BY_WORKFLOW_ID = """
            select %1$s from dormouse_run indexed by dormouse_run_current
            where shard = ?1 and current = 1 and (workflow_id, run_id) > (?2, ?3) and workflow_id < ?4
            union all
            select %1$s from dormouse_run indexed by dormouse_run_replaced
            where shard = ?1 and current = 0 and (workflow_id, run_id) > (?2, ?3) and workflow_id < ?4
            order by workflow_id, run_id""".formatted(RunRows.COLUMNS);

    private static final byte[] BEFORE_ALL_IDS = {};

    /** To SQLite, any bytes come after any text. */
    private static final byte[] AFTER_ALL_TEXT = {};

    private Lists() {}

    static RunPage page(Session session, int shard, RunFilter filter, Optional<String> page, int limit)
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

    private static Call newestFirst(Session session, int shard, Optional<Place> after) throws SQLException {
        return session.call(NEWEST_FIRST)
                .with(shard)
                .with(after.map(place -> Ids.toBytes(place.runId())).orElseGet(Ids::afterAll));
    }

    private static Call troubled(Session session, int shard, RunFilter filter, Optional<Place> after)
            throws SQLException {
        Call call = session.call(TROUBLED)
                .with(shard)
                .with(after.map(place -> Ids.toBytes(place.runId())).orElseGet(Ids::afterAll));
        for (RunStatus status : IN_TROUBLE) {
            call.with(filter.statuses().contains(status) ? status.code() : -1);
        }
        return call;
    }

    private static Call byWorkflowId(Session session, int shard, String prefix, Optional<Place> after)
            throws SQLException {
        Call call = session.call(BY_WORKFLOW_ID)
                .with(shard)
                .with(after.map(Place::workflowId).orElse(prefix))
                .with(after.map(place -> Ids.toBytes(place.runId())).orElse(BEFORE_ALL_IDS));
        String end = endOf(prefix);
        return end == null ? call.with(AFTER_ALL_TEXT) : call.with(end);
    }

    /** The least text that sorts after all that begin with the prefix; null when there is none. */
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

    /** Where a page ended. */
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

    /** A page that is being filled. */
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
            last = new Place(Ids.toId(row.getBytes(RunRows.RUN_ID)), row.getString(RunRows.WORKFLOW_ID));
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
