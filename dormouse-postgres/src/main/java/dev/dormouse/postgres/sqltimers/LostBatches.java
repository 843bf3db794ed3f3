package dev.dormouse.postgres.sqltimers;

import dev.dormouse.engine.Threads;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Batches of a role that ended without success. Something in them is to blame and would do it again, so what they may have
 * taken runs alone from then on. That can be said only when their sessions are over: until then they hold it.
 *
 * <p>Thread-safe.
 */
final class LostBatches {
    /** The server looks every two seconds whether its client is there. */
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

    /** The server's own word that the batch is undone. */
    private static boolean isAnswer(SQLException problem) {
        String state = String.valueOf(problem.getSQLState());
        return !state.startsWith("08") && !state.startsWith("57P");
    }

    synchronized boolean isEmpty() {
        return !any;
    }

    /** Those that were not over when they were lost. */
    synchronized Set<Integer> sessions() {
        return Set.copyOf(sessions);
    }

    /** Behind a pooler nobody knows the sessions, but the server ends them when their client has gone. */
    synchronized boolean areSurelyOver() {
        return sessions.isEmpty() || threads.nanoTime() - last > SURELY_OVER.toNanos();
    }

    /** These are over, and what they had taken is set apart. */
    synchronized void remove(Set<Integer> over) {
        sessions.removeAll(over);
        any = !sessions.isEmpty();
    }
}
