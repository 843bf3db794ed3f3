package dev.dormouse.sqlite.page;

import dev.dormouse.inspect.Count;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.sqlite.sql.SqlSession;
import dev.dormouse.sqlite.sql.StatementCall;
import dev.dormouse.store.page.StatusCounts;
import dev.dormouse.store.run.RunKind;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A census of runs: their number by status.
 *
 * <ul>
 *   <li>If there are few runs, each row is read.
 *   <li>Otherwise runs that are held, stuck or failed are found by their own indexes.
 *   <li>Waiting runs are counted by id, without timers, if most of the others are timers.
 *   <li>Otherwise waiting runs are counted by their alarms; runs that wait only for a message are missing then.
 * </ul>
 */
public record CensusStatements(SqlSession session, int shard, Set<RunKind> kinds) {
    static final String NEWEST = "select type, status from dormouse_run where shard = ? order by run_id desc";

    static final String LEASED = """
            select type, status from dormouse_run indexed by dormouse_run_leased
            where shard = ? and lease <> 0""";

    static final String TROUBLED = """
            select type, status from dormouse_run indexed by dormouse_run_troubled
            where shard = ? and status = ? and status in (4, 11, 13)""";

    static final String ALARMED = """
            select type, status from dormouse_run indexed by dormouse_run_alarm
            where shard = ? and lane = ? and wake_at is not null""";

    private static final String LAST_ID = "\uDBFF\uDFFF";

    /** Ids of timers start with '!', and '"' is the next character. */
    static final String UNTIMED = """
            select type, status from dormouse_run indexed by dormouse_run_current
            where shard = ? and current = 1 and workflow_id >= ? and workflow_id < ?""";

    StatusCounts take() throws SQLException {
        Numbers few = new Numbers();
        see(few, StatusCounts.MOST, session.call(NEWEST).with(shard));
        return few.isCut() ? many() : few.census(Count.exactly(few.of(RunStatus.WAITING, RunStatus.PENDING)));
    }

    private StatusCounts many() throws SQLException {
        Numbers numbers = new Numbers();
        see(numbers, StatusCounts.MOST, session.call(LEASED).with(shard));
        for (RunStatus status : List.of(RunStatus.STUCK, RunStatus.FAILED, RunStatus.TIMED_OUT)) {
            see(numbers, StatusCounts.MOST, session.call(TROUBLED).with(shard).with(status.code()));
        }
        return numbers.census(waiting());
    }

    private Count waiting() throws SQLException {
        Numbers others = new Numbers();
        see(
                others,
                StatusCounts.MOST,
                session.call(UNTIMED).with(shard).with("").with("!"));
        see(others, others.left, session.call(UNTIMED).with(shard).with("\"").with(LAST_ID));
        if (!kinds.contains(RunKind.TIMER) && !others.isCut()) {
            return Count.exactly(others.of(RunStatus.WAITING, RunStatus.PENDING));
        }
        Numbers waiting = new Numbers();
        List<String> lanes = new DueStatements(session, shard).lanes(kinds);
        for (String lane : lanes) {
            see(
                    waiting,
                    StatusCounts.MOST / lanes.size(),
                    session.call(ALARMED).with(shard).with(lane));
        }
        return Count.about(waiting.of(RunStatus.WAITING, RunStatus.PENDING));
    }

    private void see(Numbers numbers, int most, StatementCall call) throws SQLException {
        numbers.left = most;
        call.each(row -> numbers.see(RunKind.of(row.getString(1)), RunStatus.of(row.getInt(2))));
    }

    private final class Numbers {
        private final Map<RunStatus, Long> counts = new EnumMap<>(RunStatus.class);
        private int left;
        private boolean cut;

        boolean see(RunKind kind, RunStatus status) {
            cut |= left == 0;
            if (left-- > 0 && kinds.contains(kind)) {
                counts.merge(status, 1L, Long::sum);
            }
            return left >= 0;
        }

        boolean isCut() {
            return cut;
        }

        long of(RunStatus... statuses) {
            long sum = 0;
            for (RunStatus status : statuses) {
                sum += counts.getOrDefault(status, 0L);
            }
            return sum;
        }

        StatusCounts census(Count waiting) {
            return new StatusCounts(
                    count(RunStatus.RUNNING),
                    count(RunStatus.PARKED),
                    waiting,
                    count(RunStatus.STUCK),
                    count(RunStatus.FAILED, RunStatus.TIMED_OUT));
        }

        private Count count(RunStatus... statuses) {
            return new Count(of(statuses), !cut);
        }
    }
}
