package dev.dormouse.sqlite.claim;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.sqlite.sql.Tx;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.Renewed;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The renewal of leases. */
public final class RenewStatements {
    static final String RENEW =
            """
            update dormouse_run
            set wake_at = ?, strikes = iif(wake_reason = %1$d, 0, strikes), wake_reason = iif(wake_reason = %1$d, %2$d, wake_reason)
            where shard = ? and run_id = ? and lease = ? and status = %3$d
            returning mail""".formatted(WakeReason.PROBATION.code(), WakeReason.LEASE.code(), RunStatus.RUNNING.code());

    private RenewStatements() {}

    public static Renewed apply(Tx tx, List<Renewal> renewals, Duration leasePeriod) throws SQLException {
        long end = tx.after(leasePeriod);
        Map<UUID, Long> mail = new HashMap<>();
        for (Renewal renewal : renewals) {
            List<Long> renewed = tx.call(RENEW)
                    .with(end)
                    .with(tx.shard())
                    .with(renewal.runId())
                    .with(renewal.lease())
                    .all(row -> row.getLong(1));
            renewed.forEach(count -> mail.put(renewal.runId(), count));
        }
        return new Renewed(tx.at(), mail);
    }
}
