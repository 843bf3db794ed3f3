package dev.dormouse.postgres.sqltimers;

import dev.dormouse.engine.Gate;
import dev.dormouse.postgres.sqltimers.HandlerStatements.Attempt;
import dev.dormouse.postgres.sqltimers.LookStatement.Kind;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
 * The timers of handlers that this program knows. A claim leases them and counts the attempt before the handler is
 * called; the lease is renewed while it runs; what it throws makes it wait for longer and longer between attempts.
 */
final class HandlerLane extends Lane {
    private static final Logger LOG = LoggerFactory.getLogger(HandlerLane.class);

    private final NodeContext node;
    private final Map<String, SqlTimerHandler> handlers;
    private final long lease;
    private final Handling handling;
    private final Gate renewal;
    private final Set<SqlTimerCall> running = new HashSet<>();
    private boolean claiming;
    private boolean wanted;
    private boolean renewing;
    private boolean stopped;
    private boolean closed;

    /** The lease is this node's alone. */
    HandlerLane(NodeContext node, Map<String, SqlTimerHandler> handlers, long lease, Handling handling) {
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
    boolean read(LookStatement.Found found) {
        List<Instant> nearest = new ArrayList<>();
        Instant upTo = Instant.MAX;
        for (String name : handlers.keySet()) {
            List<Instant> some = found.due(Kind.HANDLER, name);
            nearest.addAll(some);
            upTo = readUpTo(some).isBefore(upTo) ? readUpTo(some) : upTo;
        }
        return readAhead(found, nearest, upTo);
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
                        .call(c -> HandlerStatements.claim(c, handlers.keySet(), most, lease, handling.lease()));
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

    /** How many more may be claimed; 0 when there is nothing to do, and then this claiming is over. */
    private synchronized int room() {
        int room = wanted && !stopped ? handling.atOnce() - running.size() : 0;
        wanted &= room == 0;
        claiming = room > 0;
        return room;
    }

    private synchronized void want(boolean more) {
        wanted |= more;
    }

    /** What cannot be begun loses its lease, and is claimed again. */
    private void begin(Attempt attempt) {
        SqlTimerCall call = attempt.call();
        synchronized (this) {
            running.add(call);
        }
        try {
            node.threads().startCode("timers-handler", () -> run(attempt));
            renew();
        } catch (RejectedExecutionException e) {
            LOG.debug("There is no thread for handler {}; it is called when its lease has ended.", call.handler(), e);
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
            node.failures().handler(call, e, pause);
            record(call, Optional.of(e.toString()), pause);
        } finally {
            end(call);
        }
    }

    private void record(SqlTimerCall call, Optional<String> error, Optional<Duration> pause) {
        try {
            node.database().call(c -> {
                HandlerStatements.handled(c, call, lease, error, pause);
                return true;
            });
        } catch (SQLException e) {
            LOG.warn("Could not record the end of an attempt at timer {}; there will be another.", call.id(), e);
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

    /** What is running; when that is nothing, renewing is over. */
    private synchronized List<SqlTimerCall> calls() {
        renewing = !running.isEmpty() && !closed;
        return renewing ? List.copyOf(running) : List.of();
    }

    private void renew(List<SqlTimerCall> calls) {
        try {
            node.database().call(c -> {
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
