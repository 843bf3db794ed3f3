package dev.dormouse.postgres.claim;

import dev.dormouse.inspect.WakeReason;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.Renewed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The renewal of leases. A row that is locked (mostly by a commit of the same node) is skipped but not lost: it is
 * looked up and tried once more, and counts as held even if it is still locked then. The lease period leaves time for
 * two more renewals, and a locked row cannot be claimed.
 */
public final class RenewStatements {
    private final String renew;
    private final String stillHeld;

    public RenewStatements(Schema schema) {
        this.renew = schema.sql("""
                with b as materialized (
                  select ?::int as shard, ${now} as now, b.*
                  from unnest(?::uuid[], ?::int8[]) as b(run_id, lease)
                  order by run_id),
                l as materialized (
                  select b.*, locked.ctid as tid
                  from b cross join lateral (
                    select r.ctid
                    from ${schema}.run r
                    where r.shard = b.shard and r.run_id = b.run_id and r.lease = b.lease and r.status = 1
                    for no key update skip locked) locked),
                u as (
                  update ${schema}.run r
                  set wake_at = l.now + ?::int8,
                      strikes = case when r.wake_reason = %1$d then 0 else r.strikes end,
                      wake_reason = case when r.wake_reason = %1$d then %2$d else r.wake_reason end
                  from l
                  where r.ctid = l.tid and r.shard = l.shard and r.run_id = l.run_id
                  returning r.run_id, r.mail)
                select one.now, u.run_id, u.mail
                from (select ${now} as now) one left join u on true
                """.formatted(WakeReason.PROBATION.code(), WakeReason.LEASE.code()));
        this.stillHeld = schema.sql("""
                with b as materialized (
                  select ?::int as shard, b.*
                  from unnest(?::uuid[], ?::int8[]) as b(run_id, lease))
                select ${now}, held.*
                from b cross join lateral (
                  select r.run_id, r.mail
                  from ${schema}.run r
                  where r.shard = b.shard and r.run_id = b.run_id and r.lease = b.lease and r.status = 1
                  offset 0) held
                """);
    }

    public Renewed run(Connection connection, int shard, List<Renewal> renewals, Duration leasePeriod)
            throws SQLException {
        Map<UUID, Long> mail = new HashMap<>();
        Instant now = renew(connection, shard, renewals, leasePeriod, mail);
        List<Renewal> missing = missing(renewals, mail);
        if (!missing.isEmpty()) {
            Map<UUID, Long> locked = stillHeld(connection, shard, missing);
            List<Renewal> again = missing.stream()
                    .filter(renewal -> locked.containsKey(renewal.runId()))
                    .toList();
            if (!again.isEmpty()) {
                renew(connection, shard, again, leasePeriod, locked);
            }
            mail.putAll(locked);
        }
        return new Renewed(now, mail);
    }

    private static List<Renewal> missing(List<Renewal> renewals, Map<UUID, Long> mail) {
        return renewals.stream()
                .filter(renewal -> !mail.containsKey(renewal.runId()))
                .toList();
    }

    private Instant renew(
            Connection connection, int shard, List<Renewal> renewals, Duration leasePeriod, Map<UUID, Long> mail)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(renew)) {
            bind(new Params(statement), shard, renewals).delay(leasePeriod);
            try (ResultSet rows = statement.executeQuery()) {
                return read(rows, mail);
            }
        }
    }

    private Map<UUID, Long> stillHeld(Connection connection, int shard, List<Renewal> renewals) throws SQLException {
        Map<UUID, Long> mail = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(stillHeld)) {
            bind(new Params(statement), shard, renewals);
            try (ResultSet rows = statement.executeQuery()) {
                read(rows, mail);
            }
        }
        return mail;
    }

    private static Params bind(Params params, int shard, List<Renewal> renewals) throws SQLException {
        return params.integer(shard).uuids(renewals, Renewal::runId).bigints(renewals, Renewal::lease);
    }

    private static Instant read(ResultSet rows, Map<UUID, Long> mail) throws SQLException {
        Instant now = Instant.EPOCH;
        while (rows.next()) {
            now = RunRows.instant(rows, 1);
            UUID runId = rows.getObject(2, UUID.class);
            if (runId != null) {
                mail.put(runId, rows.getLong(3));
            }
        }
        return now;
    }
}
