package dev.dormouse.internal.schedule;

import dev.dormouse.Workflow;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.ParentClose;
import dev.dormouse.internal.replay.OpenWait;
import dev.dormouse.internal.replay.PendingCall;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.replay.WaitEnd;
import dev.dormouse.internal.run.TimerTypes;
import dev.dormouse.internal.timer.TimerCode;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.schedule.Overlap;
import dev.dormouse.schedule.ScheduleInfo;
import dev.dormouse.schedule.Timetable;
import dev.dormouse.store.base.Micros;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a schedule. After a number of handled instants it continues as new, so that its history stays short. Not
 * thread-safe: workflow code, which the coroutines of its run execute one at a time.
 */
final class ScheduleRun implements ScheduleWorkflow {
    private static final Logger LOG = LoggerFactory.getLogger(ScheduleRun.class);
    private static final Duration LOOK_AGAIN = Duration.ofMinutes(1);
    private static final int PAST = 10;
    private static final int ENOUGH = 200;

    private final Predicate<String> isOpen;
    private final Payloads payloads;
    private final ArrayDeque<Wanted> wanted = new ArrayDeque<>();
    private final List<ScheduleInfo.Past> past = new ArrayList<>();
    private @Nullable ScheduleSpec spec;
    private boolean paused;
    private String note = "";
    private final List<Runnable> early = new ArrayList<>();
    private Instant last = Instant.EPOCH;
    private Instant from = Instant.EPOCH;
    private Instant lastTrigger = Instant.EPOCH;
    private @Nullable String running;
    private @Nullable PendingCall child;
    private @Nullable Instant buffered;
    private boolean changed;
    private boolean deleted;
    private int handled;
    private int skipped;

    /** A run that is to be started, and its overlap policy. */
    private record Wanted(Instant instant, Overlap overlap) {}

    /**
     * Creates the code of one run.
     *
     * @param isOpen returns true if the store has an open run of a workflow id
     * @param payloads the codec for the schedule's own data
     */
    ScheduleRun(Predicate<String> isOpen, Payloads payloads) {
        this.isOpen = isOpen;
        this.payloads = payloads;
    }

    @Override
    public void run(ScheduleState state) {
        begin(state);
        while (!deleted) {
            changed = false;
            startWanted();
            startBuffered();
            if (handled >= ENOUGH && wanted.isEmpty()) {
                throw replay().continueAsNew(null, List.of(payloads.encode(state())), List.of());
            }
            if (!awaitChange() && !paused) {
                handleDue();
            }
        }
    }

    private void begin(ScheduleState state) {
        spec = state.spec();
        paused = state.paused();
        note = state.note();
        last = state.last();
        from = state.from();
        past.addAll(state.past());
        running = state.running();
        buffered = state.buffered();
        early.forEach(Runnable::run);
    }

    /** Applies a change. A change that is received before the first line of the workflow method is applied there. */
    private void change(Runnable what) {
        if (spec == null) {
            early.add(what);
        } else {
            what.run();
        }
        changed = true;
    }

    private ScheduleSpec spec() {
        return Objects.requireNonNull(spec);
    }

    private Replay replay() {
        return Objects.requireNonNull(Replay.current());
    }

    /** Returns true when something has changed, and false when the next instant is due. */
    private boolean awaitChange() {
        Timetable timetable = timetable();
        Instant next = paused ? null : nextStart(timetable);
        if (buffered != null && child == null) { // an earlier run started it: its end is not reported to this run
            Instant again = Workflow.now().plus(LOOK_AGAIN);
            next = next == null || again.isBefore(next) ? again : next;
        }
        Instant end = next;
        return replay().await(OpenWait.Kind.TIMER, "", WaitEnd.of(() -> end), () -> changed || canStartBuffered());
    }

    private @Nullable Instant nextStart(Timetable timetable) {
        return timetable
                .next(last)
                .map(instant -> spec().startOf(instant, timetable))
                .filter(start -> !start.isAfter(Micros.MAX))
                .orElse(null);
    }

    /** Returns the timetable. A node that does not know the time zone passes the schedule to another node. */
    private Timetable timetable() {
        try {
            return spec().timetable();
        } catch (DormouseException unknown) {
            throw replay().refuse(unknown.code(), unknown.getMessage());
        }
    }

    private boolean canStartBuffered() {
        return buffered != null && child != null && child.isOver();
    }

    // ---- instants

    @SuppressWarnings("ReferenceEquality") // an equal one that replaced it counts as another
    private void handleDue() {
        timetable();
        Instant now = Workflow.now();
        ScheduleSpec due = spec();
        Instant after = last;
        Instant notBefore = from;
        DueInstants found = Workflow.step("due", DueInstants.class, () -> DueInstants.of(due, after, notBefore, now));
        if (spec() == due) { // otherwise the schedule was replaced in the meantime
            last = found.last();
            found.instants().forEach(instant -> wanted.add(new Wanted(instant, due.overlap())));
        }
        handled++;
    }

    private void startWanted() {
        while (!wanted.isEmpty() && !deleted) {
            Wanted one = wanted.remove();
            if (one.overlap == Overlap.ALLOW_ALL || !isRunning()) {
                start(one.instant);
            } else if (one.overlap == Overlap.CANCEL_PREVIOUS) {
                String reason = "the schedule has started the next run";
                replay().send(Objects.requireNonNull(running), new Message.Cancel(null, reason));
                start(one.instant);
            } else if (one.overlap == Overlap.BUFFER_ONE && buffered == null) {
                buffered = one.instant;
            } else {
                remember(one.instant, "");
                logSkipped(one.instant);
            }
        }
    }

    private void startBuffered() {
        Instant instant = buffered;
        if (instant != null && !isRunning()) {
            buffered = null;
            start(instant);
        }
    }

    private boolean isRunning() {
        String id = running;
        if (id == null) {
            return false;
        } else if (child != null) {
            return !child.isOver();
        }
        return Boolean.TRUE.equals(Workflow.step("is open", Boolean.class, () -> isOpen.test(id)));
    }

    /**
     * Logs a warning about skipped instants. One is normal for the overlap policy; several in a row may not be
     * intended.
     */
    private void logSkipped(Instant instant) {
        skipped++;
        if (Integer.bitCount(skipped) == 1 && skipped > 1 && !replay().isReplaying()) {
            LOG.warn(
                    "Schedule '{}' has skipped {} instants in a row, the last one {}, because '{}' is still open. Find out why "
                            + "that run does not end, or choose another Overlap.",
                    replay().run().workflowId().substring(1),
                    skipped,
                    instant,
                    running);
        }
    }

    private void start(Instant instant) {
        String id = spec().idPrefix() + instant;
        child = replay().child(id, spec().type(), input(), ParentClose.ABANDON, spec().queued());
        running = id;
        skipped = 0;
        remember(instant, TimerTypes.isTimer(spec().type()) ? TimerTypes.timerId(id) : id);
    }

    /**
     * Returns the input of the run. A failing handler is retried only until shortly before the next instant, which it
     * would block.
     */
    private List<Payload> input() {
        Timetable timetable = timetable();
        Instant now = Workflow.now();
        Instant next = timetable
                .next(now)
                .map(instant -> spec().startOf(instant, timetable))
                .orElse(null);
        List<Payload> input = spec().payloads();
        return next == null || !Boolean.TRUE.equals(spec().retriesUntilNext())
                ? input
                : TimerCode.retriedAtMost(
                        Duration.between(now, next).multipliedBy(9).dividedBy(10), input);
    }

    private void remember(Instant instant, String startedId) {
        past.add(new ScheduleInfo.Past(instant, startedId));
        if (past.size() > PAST) {
            past.remove(0);
        }
        handled++;
    }

    // ---- changes

    @Override
    public void replace(ScheduleSpec newSpec) {
        change(() -> {
            if (!newSpec.isAsOften(spec())) {
                skipPast();
            }
            spec = newSpec;
        });
    }

    private void skipPast() {
        from = Workflow.now();
        last = from.minus(spec().jitter());
    }

    @Override
    public void pause(String reason) {
        change(() -> {
            paused = true;
            note = reason;
        });
    }

    @Override
    public void resume() {
        change(() -> {
            from = paused ? Workflow.now() : from;
            paused = false;
            note = "";
        });
    }

    /** Starts a run now. Each run gets a unique instant, which is part of its id. */
    @Override
    public void trigger() {
        change(() -> {
            Instant now = Workflow.now();
            lastTrigger = now.isAfter(lastTrigger) ? now : lastTrigger.plusNanos(1_000);
            wanted.add(new Wanted(lastTrigger, spec().overlap()));
        });
    }

    @Override
    public void backfill(List<Instant> instants, Overlap overlap) {
        change(() -> instants.forEach(instant -> wanted.add(new Wanted(instant, overlap))));
    }

    @Override
    public void delete() {
        change(() -> deleted = true);
    }

    @Override
    public ScheduleState state() {
        return new ScheduleState(spec(), paused, note, last, from, List.copyOf(past), running, buffered);
    }
}
