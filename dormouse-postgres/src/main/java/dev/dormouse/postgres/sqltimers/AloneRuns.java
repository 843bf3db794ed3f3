package dev.dormouse.postgres.sqltimers;

import dev.dormouse.internal.thread.Gate;
import dev.dormouse.postgres.sqltimers.ActionStatements.Due;
import dev.dormouse.postgres.sqltimers.ActionStatements.Loss;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actions of one role that run outside a batch, because they failed or were slow in one, or because the session of
 * their batch was lost. Each runs on its own connection, for at most its timeout if it has one. Its failure affects no
 * other action, and is recorded for its timer.
 *
 * <p>Concurrency: thread-safe. {@code running}, {@code more} and {@code closed} are guarded by the lock of this object,
 * which is not held during database calls. If two threads find the same due timer, {@code begin} lets one of them start
 * it.
 */
final class AloneRuns {
    private static final Logger LOG = LoggerFactory.getLogger(AloneRuns.class);
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final Duration UNTIL_UNLOCKED = Duration.ofMillis(100);
    private static final int MOST_LOOKS = 50;
    private static final int MOST_LOSSES = 3;

    private final TimerNodeContext node;
    private final String role;
    private final RolePool pool;
    private final Consumer<SQLException> unavailable;
    private final Set<Due> running = new HashSet<>();

    /** True if due actions may be left because the limit was reached. */
    private boolean more;

    private boolean closed;

    AloneRuns(TimerNodeContext node, String role, RolePool pool, Consumer<SQLException> unavailable) {
        this.node = node;
        this.role = role;
        this.pool = pool;
        this.unavailable = unavailable;
    }

    /** Starts due actions, up to the limit. Further due actions are started when a running one ends. */
    void startDue() {
        int room = room();
        if (room == 0) {
            return;
        }
        try {
            List<Due> due =
                    node.database().call("find actions that run alone", c -> ActionStatements.dueApart(c, role, room));
            full(due.size() == room);
            due.stream().filter(this::begin).forEach(this::start);
        } catch (SQLException e) {
            LOG.debug("Could not look for timers of role {}.", role, e);
        }
    }

    private void start(Due timer) {
        try {
            node.threads().startCode("timers-alone", () -> run(timer));
        } catch (RejectedExecutionException e) {
            LOG.debug("There is no thread for a timer of role {}; it is tried again later.", role, e);
            end(timer);
        }
    }

    private synchronized int room() {
        int room = closed ? 0 : node.aloneAtOnce() - running.size();
        more |= room == 0;
        return Math.max(0, room);
    }

    private synchronized void full(boolean perhapsMore) {
        more = perhapsMore;
    }

    private synchronized boolean begin(Due timer) {
        return !closed && running.size() < node.aloneAtOnce() && running.add(timer);
    }

    private synchronized boolean end(Due timer) {
        running.remove(timer);
        return more;
    }

    private void run(Due timer) {
        boolean goOn;
        try {
            node.limit().enterAlone(this::isClosed);
            try {
                runOn(pool.borrow(), timer);
            } finally {
                node.limit().leaveAlone();
            }
        } catch (SQLException e) {
            unavailable.accept(e);
        } finally {
            goOn = end(timer);
        }
        if (goOn) {
            startDue();
        }
    }

    private void runOn(ActionConnection connection, Due timer) {
        long began = node.threads().nanoTime();
        Optional<Watchdog.Watch> watch = timer.hasTimeout()
                ? Optional.of(
                        node.watchdog().watch(connection, pool, timer.timeout().plus(GRACE)))
                : Optional.empty();
        try {
            boolean hasFailed = connection.runOne(timer);
            if (watch.map(Watchdog.Watch::end).orElse(false)) {
                pool.discard(connection);
            } else {
                pool.giveBack(connection);
            }
            if (hasFailed) {
                tellOfFailure(timer);
            }
        } catch (SQLException e) {
            boolean ended = watch.map(Watchdog.Watch::end).orElse(false);
            pool.discard(connection);
            record(
                    ended
                            ? ended(timer)
                            : lost(timer, Duration.ofNanos(node.threads().nanoTime() - began), e));
        }
    }

    private void tellOfFailure(Due timer) {
        node.failures().permitForRole(role).ifPresent(note -> {
            try {
                node.database()
                        .call("read a failure", c -> ActionStatements.failed(c, timer))
                        .ifPresent(failed -> node.failures().actionFailed(role, timer, failed, note));
            } catch (SQLException e) {
                LOG.debug("Could not read why SQL timer {} has failed.", timer.id(), e);
            }
        });
    }

    private static Loss ended(Due timer) {
        return new Loss(
                timer,
                0,
                timer.timeout(),
                "57014",
                "Expected the action to end within "
                        + timer.timeout().toMillis()
                        + " ms, but it did not, not even when it was cancelled. Its session was terminated.");
    }

    private static Loss lost(Due timer, Duration ran, SQLException e) {
        return new Loss(
                timer,
                MOST_LOSSES,
                ran,
                String.valueOf(e.getSQLState()),
                "Expected the action to run to its end, " + "but its session was lost " + MOST_LOSSES + " times: "
                        + e.getMessage());
    }

    /**
     * Records that an action ended without an outcome, because its session was lost or terminated. Retries every 100
     * ms, up to 50 times, because the server keeps the timer locked until it notices that the session has ended.
     */
    private void record(Loss loss) {
        Gate pause = node.threads().newGate();
        for (int look = 0; look < MOST_LOOKS && !isClosed(); look++) {
            try {
                OptionalInt status = node.database().call("record a lost action", c -> ActionStatements.lost(c, loss));
                if (status.isPresent()) {
                    if (status.getAsInt() == ActionStatements.FAILED) {
                        tellOfFailure(loss.timer());
                    }
                    return;
                }
            } catch (SQLException e) {
                LOG.debug("Could not record that an action was lost.", e);
            }
            pause.pass(UNTIL_UNLOCKED);
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    synchronized void close() {
        closed = true;
    }
}
