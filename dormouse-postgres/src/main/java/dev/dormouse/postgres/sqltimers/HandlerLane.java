package dev.dormouse.postgres.sqltimers;

import dev.dormouse.engine.Gate;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The timers of handlers that this program knows. A claim leases them and counts the attempt before the handler is
 * called; the lease is renewed while it runs; what it throws makes it wait for longer and longer between attempts.
 */
final class HandlerLane extends Lane {
    private static final Logger LOG = LoggerFactory.getLogger(HandlerLane.class);
    private static final int AT_ONCE = 16;
    private static final int MOST_ATTEMPTS = 20;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

    private final NodeContext node;
    private final Map<String, SqlTimerHandler> handlers;
    private final long lease;
    private final Duration period;
    private final Gate renewal;
    private final Set<SqlTimerCall> running = new HashSet<>();
    private boolean claiming;
    private boolean wanted;
    private boolean renewing;
    private boolean closed;

    /** The lease is this node's alone. */
    HandlerLane(NodeContext node, Map<String, SqlTimerHandler> handlers, long lease, Duration period) {
        this.node = node;
        this.handlers = Map.copyOf(handlers);
        this.lease = lease;
        this.period = period;
        this.renewal = node.threads().newGate();
    }

    Set<String> names() {
        return handlers.keySet();
    }

    @Override
    void read(LookStatement.Found found) {
        List<Instant> nearest = new ArrayList<>();
        Instant upTo = Instant.MAX;
        for (String name : handlers.keySet()) {
            List<Instant> some = found.due(Kind.HANDLER, name);
            nearest.addAll(some);
            upTo = readUpTo(some).isBefore(upTo) ? readUpTo(some) : upTo;
        }
        readAhead(found.now(), nearest, upTo);
    }

    @Override
    void start() {
        synchronized (this) {
            wanted = true;
            if (claiming || closed || running.size() >= AT_ONCE) {
                return;
            }
            claiming = true;
        }
        node.threads().startCode("timers-claim", this::claim);
    }

    private void claim() {
        for (int room = room(); room > 0; room = room()) {
            try {
                int most = room;
                List<SqlTimerCall> calls =
                        node.database().call(c -> HandlerStatements.claim(c, handlers.keySet(), most, lease, period));
                calls.forEach(this::begin);
                want(calls.size() == room);
            } catch (SQLException e) {
                LOG.debug("Could not claim timers.", e);
            }
        }
    }

    /** How many more may be claimed; 0 when there is nothing to do, and then this claiming is over. */
    private synchronized int room() {
        int room = wanted && !closed ? AT_ONCE - running.size() : 0;
        wanted &= room == 0;
        claiming = room > 0;
        return room;
    }

    private synchronized void want(boolean more) {
        wanted |= more;
    }

    private void begin(SqlTimerCall call) {
        boolean startRenewing;
        synchronized (this) {
            running.add(call);
            startRenewing = !renewing;
            renewing = true;
        }
        if (startRenewing) {
            node.threads().startCode("timers-renew", this::renewWhileRunning);
        }
        node.threads().startCode("timers-handler", () -> run(call));
    }

    private void run(SqlTimerCall call) {
        Optional<String> error = Optional.empty();
        try {
            Objects.requireNonNull(handlers.get(call.handler())).fire(call);
        } catch (Exception | LinkageError | AssertionError e) {
            error = Optional.of(e.toString());
            LOG.debug("Handler {} failed in attempt {}.", call.handler(), call.attempt(), e);
        }
        boolean last = error.isPresent() && call.attempt() >= MOST_ATTEMPTS;
        record(call, error, error.isEmpty() || last ? Optional.empty() : Optional.of(pause(call.attempt())));
        end(call);
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

    private static Duration pause(int attempt) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(attempt - 1, 20));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
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
        Duration third = period.dividedBy(3);
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
                HandlerStatements.renew(c, calls, lease, period);
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
    synchronized void close() {
        closed = true;
        renewal.open();
    }
}
