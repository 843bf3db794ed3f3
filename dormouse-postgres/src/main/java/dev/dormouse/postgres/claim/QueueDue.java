package dev.dormouse.postgres.claim;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.queue.QueueTurn;
import dev.dormouse.store.run.Queued;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The statement that finds and locks the next runs of a queue: runs that start, then all others, each by priority and
 * then by oldest alarm. Each lane and priority is a short index scan; lower priorities are skipped once there are
 * enough runs. As in {@link ClaimStatements}, conditions are repeated, because PostgreSQL reads a locked row again.
 */
final class QueueDue {
    /** Extra candidates, so that locked runs do not hide the runs after them. */
    private static final int SPARE = 10;

    private static final List<Boolean> KINDS = List.of(true, false);

    private final String sql;
    private final QueueFloors floors;

    QueueDue(Schema schema, QueueFloors floors) {
        this.floors = floors;
        String mine = """
                (r.lease = 0 or r.wake_at <= ?::int8)
                and (r.refused = '' or r.wake_at <= ?::int8
                  or strpos(' ' || r.refused || ' ', ' ' || ?::text || ' ') = 0)
                """;
        this.sql = schema.sql("""
                with due as materialized (
                  select kinds.begins, c.*
                  from unnest(?::bool[], ?::int8[]) with ordinality as kinds(begins, most, kind)
                    cross join lateral (
                      select p.priority, same.*
                      from generate_series(9, 0, -1) as p(priority)
                        cross join lateral (
                          select one.*
                          from (select ?::int as shard, l.* from unnest(?::text[]) with ordinality as l(lane, lane_no)) lanes
                            cross join lateral (
                              select r.shard, r.run_id, r.lane, coalesce(r.wake_at, ${max}) as alarm
                              from ${schema}.run r
                              where r.shard = lanes.shard and r.lane = lanes.lane and r.priority = p.priority::int2
                                and (r.wake_reason in (0, 2)) = kinds.begins
                                and coalesce(r.wake_at, ${max}) >=
                                  (?::int8[])[((kinds.kind - 1) * 10 + p.priority) * ?::int8 + lanes.lane_no]
                                and coalesce(r.wake_at, ${max}) <= ?::int8
                                and r.queue <> '' and r.status < 10 and r.queue = ?::text
                                and %s
                              order by coalesce(r.wake_at, ${max})
                              limit kinds.most) one
                          order by one.alarm, one.run_id
                          limit kinds.most) same
                      limit kinds.most) c)
                select due.begins, due.priority, due.run_id, due.lane, due.alarm, locked.*
                from due left join lateral (
                  select r.wake_at, r.wake_reason, r.status, r.rate_key, r.owner
                  from ${schema}.run r
                  where r.shard = due.shard and r.run_id = due.run_id
                    and coalesce(r.wake_at, ${max}) + 0 <= ?::int8
                    and %s
                  for no key update skip locked) locked on true
                """.formatted(mine, mine));
    }

    /** A due run that is locked, with its status and owner. */
    record Run(QueueTurn.Candidate candidate, RunStatus status, String owner) {}

    Map<UUID, Run> lock(Connection connection, int shard, QueueClaim claim, QueueTurn turn, Instant now)
            throws SQLException {
        List<Long> most =
                KINDS.stream().map(begins -> (long) turn.window(begins) + SPARE).toList();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(new Params(statement), shard, claim, most, now);
            try (ResultSet rows = statement.executeQuery()) {
                return read(rows, new Scan(shard, claim, now), most);
            }
        }
    }

    private void bind(Params params, int shard, QueueClaim claim, List<Long> most, Instant now) throws SQLException {
        params.bools(KINDS)
                .bigints(most, Long::longValue)
                .integer(shard)
                .texts(claim.lanes())
                .bigints(floorsOf(shard, claim, now), Long::longValue)
                .bigint(claim.lanes().size())
                .bigint(Micros.of(now))
                .text(claim.queue());
        bindMine(params, claim, now);
        params.bigint(Micros.of(now));
        bindMine(params, claim, now);
    }

    private static void bindMine(Params params, QueueClaim claim, Instant now) throws SQLException {
        long patience = Math.min(Micros.of(claim.patience()), Micros.of(now));
        params.bigint(Micros.of(QueueTurn.endedBy(claim, now)))
                .bigint(Micros.of(now) - patience)
                .text(claim.build());
    }

    /** Returns the floors in the order in which the statement numbers them: by kind, priority and lane. */
    private List<Long> floorsOf(int shard, QueueClaim claim, Instant now) {
        List<Long> all = new ArrayList<>();
        for (boolean begins : KINDS) {
            for (int priority = 0; priority <= Queued.HIGHEST; priority++) {
                for (String lane : claim.lanes()) {
                    Object range = new QueueFloors.Alarms(shard, claim.queue(), lane, priority, begins);
                    all.add(floors.of(range, claim.floor(), now));
                }
            }
        }
        return all;
    }

    private record Scan(int shard, QueueClaim claim, Instant now) {
        Stream<QueueFloors.Alarms> ranges(boolean begins, int fromPriority) {
            return Stream.iterate(fromPriority, each -> each <= Queued.HIGHEST, each -> each + 1)
                    .flatMap(priority -> claim.lanes().stream().map(lane -> range(lane, priority, begins)));
        }

        QueueFloors.Alarms range(String lane, int priority, boolean begins) {
            return new QueueFloors.Alarms(shard, claim.queue(), lane, priority, begins);
        }
    }

    private Map<UUID, Run> read(ResultSet rows, Scan scan, List<Long> most) throws SQLException {
        Map<UUID, Run> found = new HashMap<>();
        Map<QueueFloors.Alarms, Long> oldest = new HashMap<>();
        int[] counts = new int[KINDS.size()];
        int[] lowest = {Queued.HIGHEST, Queued.HIGHEST};
        while (rows.next()) {
            boolean begins = rows.getBoolean(1);
            int priority = rows.getInt(2);
            oldest.merge(scan.range(rows.getString(4), priority, begins), rows.getLong(5), Math::min);
            counts[KINDS.indexOf(begins)]++;
            lowest[KINDS.indexOf(begins)] = Math.min(lowest[KINDS.indexOf(begins)], priority);
            UUID runId = rows.getObject(3, UUID.class);
            readLocked(rows, runId, priority, found);
        }
        for (int kind = 0; kind < counts.length; kind++) {
            boolean isAll = counts[kind] < most.get(kind);
            moveFloors(scan, KINDS.get(kind), isAll ? 0 : lowest[kind] + 1, oldest);
        }
        return found;
    }

    private static void readLocked(ResultSet rows, UUID runId, int priority, Map<UUID, Run> found) throws SQLException {
        long alarm = rows.getLong(6);
        if (!rows.wasNull()) {
            WakeReason reason = WakeReason.of(rows.getInt(7));
            RunStatus status = RunStatus.of(rows.getInt(8));
            Instant at = Micros.toInstant(alarm);
            QueueTurn.Candidate candidate = new QueueTurn.Candidate(runId, priority, at, reason, rows.getString(9));
            found.put(runId, new Run(candidate, status, rows.getString(10)));
        }
    }

    /** Moves the floors up. Expired leases that may not be taken over yet were skipped, and must be found later. */
    private void moveFloors(Scan scan, boolean begins, int scannedFrom, Map<QueueFloors.Alarms, Long> oldest) {
        long endedBy = Micros.of(QueueTurn.endedBy(scan.claim, scan.now));
        scan.ranges(begins, scannedFrom)
                .forEach(range ->
                        floors.alarms(range, Math.min(endedBy, oldest.getOrDefault(range, Long.MAX_VALUE)), scan.now));
    }
}
