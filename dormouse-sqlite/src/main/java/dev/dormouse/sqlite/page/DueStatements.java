package dev.dormouse.sqlite.page;

import dev.dormouse.inspect.WakeReason;
import dev.dormouse.sqlite.sql.InstantColumns;
import dev.dormouse.sqlite.sql.RunRows;
import dev.dormouse.sqlite.sql.SqlSession;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.page.AlarmProbe;
import dev.dormouse.store.page.AlarmRange;
import dev.dormouse.store.page.DuePage;
import dev.dormouse.store.page.DuePlace;
import dev.dormouse.store.page.OverdueLane;
import dev.dormouse.store.page.PageStore;
import dev.dormouse.store.run.RunKind;
import dev.dormouse.store.run.RunRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Statements that read alarms lane by lane, a bounded number in each lane. */
public record DueStatements(SqlSession session, int shard) {
    static final String NEXT_LANE = """
            select lane from dormouse_run indexed by dormouse_run_alarm
            where shard = ? and lane > ? and wake_at is not null
            order by lane
            limit 1""";

    static final String AHEAD = """
            select %s from dormouse_run indexed by dormouse_run_alarm
            where shard = ? and lane = ? and wake_at is not null and (wake_at, run_id) > (?, ?)
            order by wake_at, run_id""".formatted(RunRows.COLUMNS);

    static final String PROBE = """
            select wake_at, wake_reason from dormouse_run indexed by dormouse_run_alarm
            where shard = ? and lane = ? and wake_at >= ? and wake_at < ?
            order by wake_at""";

    /** Counts every alarm as due, so that the index alone is read. */
    static final String ROUGH_PROBE = """
            select wake_at, 0 from dormouse_run indexed by dormouse_run_alarm
            where shard = ? and lane = ? and wake_at >= ? and wake_at < ?
            order by wake_at""";

    static final String LAST = """
            select wake_at from dormouse_run indexed by dormouse_run_alarm
            where shard = ? and lane = ? and wake_at is not null
            order by wake_at desc
            limit 1""";

    static final String FIRST = """
            select wake_at, workflow_id from dormouse_run indexed by dormouse_run_alarm
            where shard = ? and lane = ? and wake_at < ?
            order by wake_at
            limit 1""";

    private static final int LOOKS = 1_000;

    /** Returns the lanes of the given kinds that have an alarm. Each lane costs one index lookup. */
    List<String> lanes(Set<RunKind> kinds) throws SQLException {
        List<String> lanes = new ArrayList<>();
        Optional<String> lane = nextLane("");
        for (int seen = 0; lane.isPresent() && seen < PageStore.MOST_LANES; seen++) {
            if (kinds.contains(RunKind.ofLane(lane.get()))) {
                lanes.add(lane.get());
            }
            lane = nextLane(lane.get());
        }
        return lanes;
    }

    private Optional<String> nextLane(String after) throws SQLException {
        return session.call(NEXT_LANE).with(shard).with(after).first(row -> row.getString(1));
    }

    DuePage<RunRow> page(Set<RunKind> kinds, @Nullable DuePlace after, int limit) throws SQLException {
        List<DuePage<RunRow>> parts = new ArrayList<>();
        for (String lane : lanes(kinds)) {
            Look look = new Look(limit);
            session.call(AHEAD)
                    .with(shard)
                    .with(lane)
                    .with(after == null ? Long.MIN_VALUE : InstantColumns.floor(after.at()))
                    .with(after == null ? new UUID(0, 0) : after.runId())
                    .each(look::see);
            parts.add(new DuePage<>(look.found, look.end));
        }
        return DuePage.merge(parts, DuePlace::of, limit);
    }

    /** The runs found in one lane, and where reading stopped. */
    private static final class Look {
        private final int limit;
        private final List<RunRow> found = new ArrayList<>();
        private int looked;
        private @Nullable DuePlace end;

        Look(int limit) {
            this.limit = limit;
        }

        boolean see(ResultSet row) throws SQLException {
            RunRow run = RunRows.read(row);
            looked++;
            if (run.wakeReason().isSet()) {
                found.add(run);
            }
            boolean isEnough = found.size() > limit || looked == LOOKS + limit;
            end = isEnough ? DuePlace.of(run) : null;
            return !isEnough;
        }
    }

    List<AlarmProbe> probe(List<AlarmRange> ranges, int most, boolean roughly) throws SQLException {
        List<AlarmProbe> probes = new ArrayList<>();
        for (AlarmRange range : ranges) {
            Probe probe = new Probe(most);
            session.call(roughly ? ROUGH_PROBE : PROBE)
                    .with(shard)
                    .with(range.lane())
                    .with(InstantColumns.floor(range.from()))
                    .with(InstantColumns.floor(range.to()))
                    .each(probe::see);
            probes.add(new AlarmProbe(probe.due, probe.stoppedAt));
        }
        return probes;
    }

    private static final class Probe {
        private final int most;
        private int looked;
        private int due;
        private @Nullable Instant stoppedAt;

        Probe(int most) {
            this.most = most;
        }

        boolean see(ResultSet row) throws SQLException {
            looked++;
            if (WakeReason.of(row.getInt(2)).isSet()) {
                due++;
            }
            if (looked < most) {
                return true;
            }
            stoppedAt = Micros.toInstant(row.getLong(1));
            return false;
        }
    }

    List<OverdueLane> overdue(Instant before) throws SQLException {
        List<OverdueLane> overdue = new ArrayList<>();
        for (String lane : lanes(RunKind.ALL)) {
            session.call(FIRST)
                    .with(shard)
                    .with(lane)
                    .with(InstantColumns.floor(before))
                    .first(row -> new OverdueLane(lane, Micros.toInstant(row.getLong(1)), row.getString(2)))
                    .ifPresent(overdue::add);
        }
        return overdue;
    }

    Optional<Instant> last(Set<RunKind> kinds) throws SQLException {
        Instant last = null;
        for (String lane : lanes(kinds)) {
            Instant inLane = session.call(LAST)
                    .with(shard)
                    .with(lane)
                    .first(row -> Micros.toInstant(row.getLong(1)))
                    .orElse(null);
            last = last == null || inLane != null && inLane.isAfter(last) ? inLane : last;
        }
        return Optional.ofNullable(last);
    }
}
