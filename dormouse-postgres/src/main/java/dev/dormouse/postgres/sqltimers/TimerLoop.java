package dev.dormouse.postgres.sqltimers;

import dev.dormouse.internal.engine.time.SweepSchedule;
import dev.dormouse.internal.thread.BackOff;
import dev.dormouse.internal.thread.Loop;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's main loop: waits exactly until the next instant at which a timer is due, and starts its lane then.
 *
 * <p>It queries the database in these cases:
 *
 * <ul>
 *   <li>when it reaches the end of what it has read ahead
 *   <li>while a timer is overdue, because another node that holds it may die: one second after a start, and then less
 *       and less often
 *   <li>periodically, as a safety net
 * </ul>
 *
 * Otherwise it sends no queries while nothing is due.
 *
 * <p>Concurrency: any thread may call {@link #hear}, {@link #changed}, {@link #sweepNow} and {@link #close}; they set
 * volatile flags and wake the loop. All other state belongs to the loop's own thread.
 */
final class TimerLoop extends Loop {
    private static final Logger LOG = LoggerFactory.getLogger(TimerLoop.class);
    private static final Duration NEVER = Duration.ofDays(1);
    private static final Duration FIRST_FAILURE = Duration.ofMillis(100);
    private static final Duration FIRST_LOOK = Duration.ofSeconds(1);
    private static final Duration LAST_LOOK = Duration.ofSeconds(5);
    private static final Duration TRY_BLOCKED_AGAIN = Duration.ofMinutes(1);
    private static final Duration WITHOUT_NOTICES = Duration.ofSeconds(1);
    private static final Duration GOOD_CLOCK = Duration.ofSeconds(5);
    private static final Duration BEFORE_ALARM = Duration.ofMillis(200);

    private final TimerNodeContext node;
    private final ServerClock clock;
    private final TimerLanes lanes;
    private final SweepSchedule sweeps;
    private final BackOff backOff = new BackOff(FIRST_FAILURE, LAST_LOOK);
    private volatile TimerSettings settings = TimerSettings.DEFAULT;
    private volatile boolean changed = true;
    private volatile boolean hearing = true;
    private boolean following;
    private Duration pause = FIRST_LOOK;
    private long lastLook;

    TimerLoop(TimerNodeContext node, TimerLanes lanes) {
        super(node.threads());
        this.node = node;
        this.lanes = lanes;
        this.clock = new ServerClock(node.threads());
        this.sweeps = new SweepSchedule(node.threads());
    }

    TimerSettings settings() {
        return settings;
    }

    /** Called if notifications do not arrive: the loop sweeps every second instead. */
    void withoutNotices() {
        hearing = false;
        wake();
    }

    void hear(TimerNotice.Timer timer) {
        lanes.find(timer).ifPresent(lane -> {
            if (lane.hear(timer.at())) {
                wake();
            }
        });
    }

    void changed() {
        changed = true;
        sweepNow();
    }

    /** Requests a sweep, because notifications may have been missed. */
    void sweepNow() {
        sweeps.request();
        wake();
    }

    @Override
    protected void turn() {
        try {
            startDueAndLook();
            backOff.reset();
            await(untilNext());
        } catch (SQLException | RuntimeException | LinkageError | OutOfMemoryError e) {
            if (e instanceof SQLException) {
                LOG.debug("Looking for timers failed; trying again.", e); // the watch reports an outage
            } else {
                node.failures().lookFailed(e);
            }
            sweeps.request();
            await(backOff.next());
        }
    }

    private void startDueAndLook() throws SQLException {
        if (startDue()) {
            lastLook = following ? lastLook : node.threads().nanoTime();
            pause = FIRST_LOOK;
            following = true;
        }
        if (sweeps.isDue(sweepInterval())) {
            sweep();
        } else if (mustLook()) {
            look(false);
        } else if (alarmIsNearAndClockIsOld()) {
            look(false);
            lanes.served().stream()
                    .filter(lane -> clock.until(lane.next()).compareTo(FIRST_LOOK) < 0)
                    .forEach(TimerLane::warm);
        }
        following |= startDue();
    }

    /**
     * Starts all lanes with due timers. Another node may hold some of them and die, so the caller looks again later.
     */
    private boolean startDue() {
        Instant now = clock.now();
        boolean started = false;
        for (TimerLane lane : lanes.served()) {
            started |= lane.startIfDue(now);
        }
        return started;
    }

    private boolean mustLook() {
        Instant now = clock.now();
        return (following && !sinceLook().minus(pause).isNegative())
                || lanes.served().stream().anyMatch(lane -> lane.mustReadAhead(now));
    }

    private void sweep() throws SQLException {
        sweeps.begin();
        boolean again = changed;
        changed = false;
        settings = node.database().call("read the settings", ConfigStatements::settings);
        lanes.update(node.database().call("read the roles", ConfigStatements::roles));
        if (again) {
            lanes.unblock();
        }
        lanes.all().forEach(TimerLane::trim);
        look(true);
    }

    private void look(boolean fromTheBeginning) throws SQLException {
        lastLook = node.threads().nanoTime();
        List<TimerLane> served = lanes.served();
        served.forEach(TimerLane::beginReadAhead);
        ReadAheadStatement.Asked question = lanes.question(served, fromTheBeginning);
        ReadAheadStatement.Found found =
                node.database().call("look for timers", c -> ReadAheadStatement.run(c, question));
        clock.observe(found.now());
        boolean overdue = false;
        for (TimerLane lane : served) {
            overdue |= lane.read(found);
        }
        follow(overdue || !found.complete());
    }

    /**
     * Looks again soon while timers are overdue, because another node holds them, or while timers may become visible
     * without a notification.
     */
    private void follow(boolean again) {
        pause = following && again ? shorter(pause.multipliedBy(2), LAST_LOOK) : FIRST_LOOK;
        following = again;
    }

    /**
     * Returns true if the server's time should be read again before the next alarm, because the node's clock drifts
     * during a long wait.
     */
    private boolean alarmIsNearAndClockIsOld() {
        return clock.age().compareTo(GOOD_CLOCK) > 0 && untilAlarm().compareTo(BEFORE_ALARM.multipliedBy(2)) < 0;
    }

    private Duration untilAlarm() {
        Duration next = NEVER;
        for (TimerLane lane : lanes.served()) {
            next = shorter(next, clock.until(lane.next()));
        }
        return next;
    }

    private Duration untilNext() {
        Duration alarm = untilAlarm();
        if (alarm.compareTo(BEFORE_ALARM.multipliedBy(2)) > 0
                && clock.age().plus(alarm).compareTo(GOOD_CLOCK) > 0) {
            alarm = alarm.minus(BEFORE_ALARM).minus(alarm.dividedBy(1_000));
        }
        Duration next = shorter(alarm, sweeps.untilNext(sweepInterval()));
        next = following ? shorter(next, pause.minus(sinceLook())) : next;
        return next.isNegative() ? Duration.ZERO : next;
    }

    private Duration sweepInterval() {
        if (!hearing) {
            return WITHOUT_NOTICES;
        }
        boolean blocked = lanes.all().stream().anyMatch(lane -> !lane.isServed());
        Duration interval = settings.safetySweep().isZero() ? NEVER.multipliedBy(10_000) : settings.safetySweep();
        return blocked ? shorter(interval, TRY_BLOCKED_AGAIN) : interval;
    }

    private Duration sinceLook() {
        return Duration.ofNanos(node.threads().nanoTime() - lastLook);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
