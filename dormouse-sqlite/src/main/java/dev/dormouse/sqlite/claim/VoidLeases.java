package dev.dormouse.sqlite.claim;

import dev.dormouse.sqlite.sql.Tx;
import java.sql.SQLException;

/**
 * The end of all leases when the store is opened: their owners are dead, because the file's lock has changed hands. The
 * runs are due at once. They keep their lease ids, so that each claim counts a takeover and late commits under an old
 * lease are still refused.
 */
public final class VoidLeases {
    static final String VOID = """
            update dormouse_run indexed by dormouse_run_leased set wake_at = min(coalesce(wake_at, ?1), ?1)
            where lease <> 0""";

    private VoidLeases() {}

    /** Returns the number of runs that were held. */
    public static int apply(Tx tx) throws SQLException {
        return tx.call(VOID).with(tx.now()).update();
    }
}
