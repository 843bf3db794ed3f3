package dev.dormouse.sqlite.claim;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.sqlite.sql.Tx;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * The statement that makes stuck runs due for a build that may be able to continue them. Runs without an alarm wait for
 * something else and are left alone.
 */
public final class WakeStuckStatements {
    static final String WAKE = """
            update dormouse_run indexed by dormouse_run_stuck set wake_at = ?
            where shard = ? and lane = ? and status = %d
              and wake_at is not null
              and (takeovers = 0 or refused <> '' and strikes = 0)
              and instr(' ' || refused || ' ', ' ' || ? || ' ') = 0""".formatted(RunStatus.STUCK.code());

    private WakeStuckStatements() {}

    public static int apply(Tx tx, List<String> lanes, String build) throws SQLException {
        int woken = 0;
        for (String lane : new LinkedHashSet<>(lanes)) {
            woken += tx.call(WAKE)
                    .with(tx.now())
                    .with(tx.shard())
                    .with(lane)
                    .with(build)
                    .update();
        }
        return woken;
    }
}
