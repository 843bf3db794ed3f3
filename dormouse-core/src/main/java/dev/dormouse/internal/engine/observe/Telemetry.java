package dev.dormouse.internal.engine.observe;

import dev.dormouse.inspect.Monitor;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.StoreTrouble;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.internal.engine.time.StoreClock;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.RunKind;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The telemetry of a node: counts what happens and notifies the monitors. Without monitors it costs only the counting.
 *
 * <p>Thread-safe: any thread may call any method. Monitors are called by that thread. An exception of a monitor is
 * logged and does not affect the caller or other monitors.
 */
public final class Telemetry implements StoreWatch.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Telemetry.class);

    private final List<Monitor> monitors;
    private final Counters counters;
    private final Runnable onCount;
    private final StoreClock clock;
    private final Threads threads;
    private final FailureLog failures;
    private final LeaseLog leases;

    /** @param onCount called after something was counted */
    public Telemetry(
            List<? extends Monitor> monitors,
            Counters counters,
            Runnable onCount,
            StoreClock clock,
            Threads threads,
            LeaseLog leases) {
        this.monitors = List.copyOf(monitors);
        this.counters = counters;
        this.onCount = onCount;
        this.clock = clock;
        this.threads = threads;
        this.failures = new FailureLog(threads);
        this.leases = leases;
    }

    /** Returns the log of failures on this node. */
    public FailureLog failures() {
        return failures;
    }

    /** Returns true if there are monitors. */
    public boolean hasMonitors() {
        return !monitors.isEmpty();
    }

    public void started(String workflowId, UUID runId, String type, Instant at) {
        if (isWorkflow(type)) {
            counters.started();
            onCount.run();
        }
        if (hasMonitors()) {
            Monitor.RunStarted event = new Monitor.RunStarted(workflowId, runId, type, at);
            publish(monitor -> monitor.runStarted(event));
        }
    }

    public void closed(RunRow row, RunStatus status, Instant at) {
        if (isWorkflow(row.type())) {
            counters.closed(status);
            onCount.run();
        }
        if (hasMonitors()) {
            Monitor.RunClosed event =
                    new Monitor.RunClosed(row.workflowId(), row.runId(), row.type(), status, row.createdAt(), at);
            publish(monitor -> monitor.runClosed(event));
        }
    }

    private static boolean isWorkflow(String type) {
        return RunKind.of(type) == RunKind.WORKFLOW;
    }

    /** Counts and reports an attempt whose end is committed. */
    public void stepEnded(RunRow row, Event event, int attempt) {
        counters.step();
        onCount.run();
        if (hasMonitors()) {
            Monitor.StepEnded ended = stepOf(row, event, attempt);
            if (ended != null) {
                publish(monitor -> monitor.stepEnded(ended));
            }
        }
    }

    private static Monitor.@Nullable StepEnded stepOf(RunRow row, Event event, int attempt) {
        if (event instanceof Event.StepCompleted e) {
            return step(row, e.name(), attempt, e.startedAt(), e.at(), null);
        } else if (event instanceof Event.StepFailed e) {
            return step(
                    row,
                    e.name(),
                    e.attempts(),
                    e.startedAt(),
                    e.at(),
                    e.failure().toString());
        } else if (event instanceof Event.StepPostponed e) {
            String failure = e.failure() == null ? null : e.failure().toString();
            return step(row, e.name(), e.tried().attempt(), e.tried().startedAt(), e.at(), failure);
        }
        return null;
    }

    private static Monitor.StepEnded step(
            RunRow row, String name, int attempt, Instant began, Instant ended, @Nullable String failure) {
        return new Monitor.StepEnded(row.workflowId(), row.runId(), row.type(), name, attempt, began, ended, failure);
    }

    public void fired(RunRow row, WakeReason reason, Instant due, Instant now) {
        Duration late = now.isAfter(due) ? Duration.between(due, now) : Duration.ZERO;
        counters.fired(late);
        onCount.run();
        if (hasMonitors()) {
            Monitor.TimerFired event =
                    new Monitor.TimerFired(row.workflowId(), row.runId(), row.type(), reason, due, late);
            publish(monitor -> monitor.timerFired(event));
        }
    }

    /**
     * Reports a claimed run: a takeover, or a delayed start that was due. Other alarms are reported where they take
     * effect.
     */
    public void claimed(Claimed.Run run, boolean takenOver) {
        if (takenOver) {
            takenOver(run);
        } else if (run.reason() == WakeReason.START
                && run.alarm().isAfter(run.row().createdAt())) {
            fired(run.row(), WakeReason.START, run.alarm(), clock.latest());
        }
    }

    private void takenOver(Claimed.Run run) {
        leases.takenOver(run);
        counters.takenOver();
        onCount.run();
        if (hasMonitors()) {
            RunRow row = run.row();
            Instant now = clock.latest();
            Monitor.TakenOver event = new Monitor.TakenOver(
                    row.workflowId(),
                    row.runId(),
                    row.type(),
                    run.from(),
                    now.isAfter(run.alarm()) ? Duration.between(run.alarm(), now) : Duration.ZERO,
                    row.nextSeq());
            publish(monitor -> monitor.takenOver(event));
        }
    }

    /** Reports runs of this node that other nodes have taken over. */
    public void leasesLost(List<RunRow> runs) {
        leases.lost(runs);
        for (RunRow run : runs) {
            Monitor.LeaseLost event = new Monitor.LeaseLost(run.workflowId(), run.runId(), run.type());
            publish(monitor -> monitor.leaseLost(event));
        }
    }

    public void replayed(RunRow row, int events, long began) {
        if (hasMonitors()) {
            Monitor.Replayed event =
                    new Monitor.Replayed(row.workflowId(), row.runId(), row.type(), events, since(began));
            publish(monitor -> monitor.replayed(event));
        }
    }

    public void sent(String kind, int entries, long began, int waiting) {
        if (hasMonitors()) {
            Monitor.BatchSent event = new Monitor.BatchSent(kind, entries, since(began), waiting);
            publish(monitor -> monitor.batchSent(event));
        }
    }

    /**
     * Reports the difference between this node's wall clock and the store's clock. Does nothing without a monitor or a
     * wall clock.
     */
    public void clockSeen() {
        Instant wall = hasMonitors() ? threads.wallTime() : null;
        if (wall != null) {
            Duration width = clock.width();
            Duration skew = Duration.between(clock.earliest().plus(width.dividedBy(2)), wall);
            Monitor.ClockSeen event = new Monitor.ClockSeen(skew, width);
            publish(monitor -> monitor.clockSeen(event));
        }
    }

    @Override
    public void outageBegan(StoreTrouble trouble, String reason) {
        Monitor.OutageBegan event = new Monitor.OutageBegan(trouble, reason);
        publish(monitor -> monitor.outageBegan(event));
    }

    @Override
    public void outageEnded(StoreTrouble trouble, Duration lasted) {
        Monitor.OutageEnded event = new Monitor.OutageEnded(trouble, lasted);
        publish(monitor -> monitor.outageEnded(event));
    }

    private Duration since(long began) {
        return Duration.ofNanos(threads.nanoTime() - began);
    }

    private void publish(Consumer<Monitor> event) {
        for (Monitor monitor : monitors) {
            try {
                event.accept(monitor);
            } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError problem) {
                LOG.warn("A monitor failed; this has no effect on runs", problem);
            }
        }
    }
}
