package dev.dormouse.sqlite;

import java.sql.SQLException;

/**
 * At opening, whoever held a lease is dead: the file's lock has changed hands. Its runs are due at once. They keep
 * their lease ids, so that the claim of each counts a takeover, and nothing that was sent under them is mistaken for
 * somebody else's.
 */
final class VoidLeases {
    static final String VOID = """
            update dormouse_run indexed by dormouse_run_leased set wake_at = min(coalesce(wake_at, ?1), ?1)
            where lease <> 0""";

    private VoidLeases() {}

    /** Tells how many runs were held. */
    static int apply(Tx tx) throws SQLException {
        return tx.call(VOID).with(tx.now()).update();
    }
}
