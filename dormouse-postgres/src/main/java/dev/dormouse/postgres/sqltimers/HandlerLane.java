package dev.dormouse.postgres.sqltimers;

import dev.dormouse.internal.engine.time.ReadAhead;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.postgres.sqltimers.HandlerStatements.Attempt;
import dev.dormouse.postgres.sqltimers.ReadAheadStatement.Kind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The timers whose handlers are registered at this node. A claim leases timers and counts the attempt before the
 * handler is called; the lease is renewed while the handler runs. If the handler throws, the pause before the next
 * attempt grows.
 *
 * <p>Concurrency: thread-safe. The mutable fields are guarded by the lock of this object, which is not held during
 * database calls or handlers. At most one thread claims ({@code claiming}) and one renews ({@code renewing}). A request
 * during a claim sets {@code wanted}, so that the claiming thread continues instead of missing it.
 */
final class HandlerLane extends TimerLane {
    private static final Logger LOG = LoggerFactory.getLogger(HandlerLane.class);

    private final TimerNodeContext node;
    private final Map<String, SqlTimerHandler> handlers;
    private final long lease;
    private final HandlerSettings handling;
    private final Gate renewal;
    private final Set<SqlTimerCall> running = new HashSet<>();
    private boolean claiming;
    private boolean wanted;
    private boolean renewing;
    private boolean stopped;
    private boolean closed;

    /** @param lease the lease id of this node */
    HandlerLane(TimerNodeContext node, Map<String, SqlTimerHandler> handlers, long lease, HandlerSettings handling) {
        this.node = node;
        this.handlers = Map.copyOf(handlers);
        this.lease = lease;
        this.handling = handling;
        this.renewal = node.threads().newGate();
    }

    Set<String> names() {
        return handlers.keySet();
    }

    @Override
    boolean read(ReadAheadStatement.Found found) {
        ReadAhead ahead = new ReadAhead(ReadAheadStatement.READ_AHEAD);
        handlers.keySet().forEach(name -> ahead.add(found.due(Kind.HANDLER, name)));
        return readAhead(found, ahead);
    }

    @Override
    void start() {
        synchronized (this) {
            wanted = true;
            if (claiming || stopped || running.size() >= handling.atOnce()) {
                return;
            }
            claiming = true;
        }
        try {
            node.threads().startCode("timers-claim", this::claim);
        } catch (RuntimeException e) {
            claimed();
            throw e;
        }
    }

    private synchronized void claimed() {
        claiming = false;
    }

    private void claim() {
        for (int room = room(); room > 0; room = room()) {
            try {
                int most = room;
                List<Attempt> attempts = node.database()
                        .call(
                                "claim timers",
                                c -> HandlerStatements.claim(c, handlers.keySet(), most, lease, handling.lease()));
                attempts.forEach(this::begin);
                want(attempts.size() == room);
            } catch (SQLException e) {
                LOG.debug("Could not claim timers.", e);
            } catch (RuntimeException | Error e) {
                claimed();
                throw e;
            }
        }
    }

    /** Returns how many more timers may be claimed. With 0 the claiming thread ends. */
    private synchronized int room() {
        int room = wanted && !stopped ? handling.atOnce() - running.size() : 0;
        wanted &= room == 0;
        claiming = room > 0;
        return room;
    }

    private synchronized void want(boolean more) {
        wanted |= more;
    }

    /** Starts an attempt. If there is no thread for it, its lease expires and the timer is claimed again. */
    private void begin(Attempt attempt) {
        SqlTimerCall call = attempt.call();
        synchronized (this) {
            running.add(call);
        }
        try {
            node.threads().startCode("timers-handler", () -> run(attempt));
            renew();
        } catch (RejectedExecutionException e) {
            LOG.debug(
                    "There is no thread for handler {}; it is called again when its lease has expired.",
                    call.handler(),
                    e);
            end(call);
        }
    }

    private void renew() {
        synchronized (this) {
            if (renewing || running.isEmpty()) {
                return;
            }
            renewing = true;
        }
        try {
            node.threads().startCode("timers-renew", this::renewWhileRunning);
        } catch (RuntimeException e) {
            synchronized (this) {
                renewing = false;
            }
            throw e;
        }
    }

    private void run(Attempt attempt) {
        SqlTimerCall call = attempt.call();
        try {
            Objects.requireNonNull(handlers.get(call.handler())).fire(call);
            record(call, Optional.empty(), Optional.empty());
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            Optional<Duration> pause = handling.pause(call.attempt(), e, attempt.sinceDue());
            String text = text(e);
            if (record(call, Optional.of(text), pause)) {
                node.failures().handlerFailed(call, e, text, pause);
            }
        } finally {
            end(call);
        }
    }

    /** Returns the exception's text. Its {@code toString} may fail, and PostgreSQL does not accept NUL characters. */
    private static String text(Throwable problem) {
        try {
            return problem.toString().replace('\0', '\uFFFD');
        } catch (RuntimeException | LinkageError | StackOverflowError broken) {
            return problem.getClass().getName();
        }
    }

    private boolean record(SqlTimerCall call, Optional<String> error, Optional<Duration> pause) {
        try {
            return node.database().call("record the end of an attempt", c -> {
                HandlerStatements.handled(c, call, lease, error, pause);
                return true;
            });
        } catch (SQLException e) {
            node.failures().attemptUnrecorded(call, e);
            return false;
        }
    }

    private void end(SqlTimerCall call) {
        boolean goOn;
        synchronized (this) {
            running.remove(call);
            goOn = wanted;
            renewal.open();
        }
        if (goOn) {
            start();
        }
    }

    private void renewWhileRunning() {
        long last = node.threads().nanoTime();
        Duration third = handling.lease().dividedBy(3);
        for (List<SqlTimerCall> calls = calls(); !calls.isEmpty(); calls = calls()) {
            Duration passed = Duration.ofNanos(node.threads().nanoTime() - last);
            if (passed.compareTo(third) >= 0) {
                last = node.threads().nanoTime();
                renew(calls);
            } else {
                renewal.pass(third.minus(passed));
            }
        }
    }

    /** Returns the running calls. If there are none, the renewing thread ends. */
    private synchronized List<SqlTimerCall> calls() {
        renewing = !running.isEmpty() && !closed;
        return renewing ? List.copyOf(running) : List.of();
    }

    private void renew(List<SqlTimerCall> calls) {
        try {
            node.database().call("renew leases", c -> {
                HandlerStatements.renew(c, calls, lease, handling.lease());
                return true;
            });
        } catch (SQLException e) {
            LOG.debug("Could not renew leases.", e);
        }
    }

    @Override
    synchronized boolean isBusy() {
        return !running.isEmpty();
    }

    @Override
    synchronized void stop() {
        stopped = true;
    }

    @Override
    synchronized void close() {
        stopped = true;
        closed = true;
        renewal.open();
    }
}
