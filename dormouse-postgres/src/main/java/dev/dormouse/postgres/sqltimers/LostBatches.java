package dev.dormouse.postgres.sqltimers;

import dev.dormouse.internal.thread.Threads;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Batches of a role that failed. Some timer in them is at fault and would fail again, so all timers that they may have
 * taken run alone afterwards. They can run only after the sessions of the batches have ended, because these hold the
 * timers until then.
 *
 * <p>Concurrency: thread-safe; all fields are guarded by the lock of this object.
 */
final class LostBatches {
    /** The server checks every two seconds whether its client is there. */
    private static final Duration SURELY_OVER = Duration.ofSeconds(5);

    private final Threads threads;
    private final Set<Integer> sessions = new HashSet<>();
    private boolean any;
    private long last;

    LostBatches(Threads threads) {
        this.threads = threads;
    }

    synchronized void add(ActionConnection connection, SQLException problem) {
        any = true;
        if (!isAnswer(problem)) {
            sessions.add(connection.pid());
            last = threads.nanoTime();
        }
    }

    /** Returns true if the server itself reported that the batch was rolled back. */
    private static boolean isAnswer(SQLException problem) {
        String state = String.valueOf(problem.getSQLState());
        return !state.startsWith("08") && !state.startsWith("57P");
    }

    synchronized boolean isEmpty() {
        return !any;
    }

    /** Returns the sessions that had not ended when they were lost. */
    synchronized Set<Integer> sessions() {
        return Set.copyOf(sessions);
    }

    /**
     * Returns true if all sessions must have ended. Behind a pooler their process ids are unknown, but the server ends
     * them after their client is gone.
     */
    synchronized boolean areSurelyOver() {
        return sessions.isEmpty() || threads.nanoTime() - last > SURELY_OVER.toNanos();
    }

    /** Removes sessions that have ended and whose timers are set apart. */
    synchronized void remove(Set<Integer> over) {
        sessions.removeAll(over);
        any = !sessions.isEmpty();
    }
}
