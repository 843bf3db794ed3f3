package dev.dormouse.sqlite.claim;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.sqlite.sql.Tx;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;

/** The shortening of leases that end later than any lease can, because the clock was set back. */
public final class ShortenLeaseStatements {
    static final String SHORTEN = """
            update dormouse_run set wake_at = ?
            where shard = ? and lane = ? and wake_at > ? and status in (%d, %d)""".formatted(RunStatus.RUNNING.code(), RunStatus.PARKED.code());

    private ShortenLeaseStatements() {}

    public static int shorten(Tx tx, List<String> lanes, Duration longest, Duration leasePeriod) throws SQLException {
        int shortened = 0;
        for (String lane : new LinkedHashSet<>(lanes)) {
            shortened += tx.call(SHORTEN)
                    .with(tx.after(leasePeriod))
                    .with(tx.shard())
                    .with(lane)
                    .with(tx.after(longest))
                    .update();
        }
        return shortened;
    }
}
