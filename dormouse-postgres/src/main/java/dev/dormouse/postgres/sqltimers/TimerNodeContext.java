package dev.dormouse.postgres.sqltimers;

import dev.dormouse.internal.thread.Threads;
import java.util.function.Supplier;

/**
 * The objects that the parts of a node share.
 *
 * @param ownRole the role that the node logs in as
 * @param aloneAtOnce the maximum number of concurrent actions of a role that run alone
 */
record TimerNodeContext(
        TimerDatabase database,
        RoleLogins logins,
        Threads threads,
        Watchdog watchdog,
        TimerFailures failures,
        ConnectionLimit limit,
        Supplier<TimerSettings> settings,
        String ownRole,
        int aloneAtOnce) {}
