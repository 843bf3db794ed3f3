package dev.dormouse.postgres.sqltimers;

import dev.dormouse.engine.Threads;
import java.util.function.Supplier;

/**
 * What all parts of a node share.
 *
 * @param ownRole what the node logs in as
 * @param aloneAtOnce how many actions of a role may run alone at the same time
 */
record NodeContext(
        Database database,
        Logins logins,
        Threads threads,
        Watchdog watchdog,
        ConnectionLimit limit,
        Supplier<Settings> settings,
        String ownRole,
        int aloneAtOnce,
        FailureLog failures) {}
