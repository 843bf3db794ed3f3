package dev.dormouse.sqlite;

import dev.dormouse.store.Renewal;
import dev.dormouse.store.Renewed;
import dev.dormouse.store.RunStatus;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Moves the ends of leases. */
final class Renewals {
    static final String RENEW = """
            update dormouse_run set wake_at = ?
            where shard = ? and run_id = ? and lease = ? and status = %d
            returning mail""".formatted(RunStatus.RUNNING.code());

    private Renewals() {}

    static Renewed apply(Tx tx, List<Renewal> renewals, Duration leasePeriod) throws SQLException {
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
