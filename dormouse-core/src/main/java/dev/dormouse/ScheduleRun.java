package dev.dormouse;

import dev.dormouse.engine.TimerTypes;
import dev.dormouse.history.Message;
import dev.dormouse.history.ParentClose;
import dev.dormouse.replay.PendingCall;
import dev.dormouse.replay.Replay;
import dev.dormouse.schedule.Timetable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One run of a schedule. After a number of instants it continues as a new one, so that its history stays short. */
final class ScheduleRun implements ScheduleWorkflow {
    private static final Duration ON_TIME = Duration.ofMinutes(1);
    private static final Duration LOOK_AGAIN = Duration.ofMinutes(1);
    private static final int PAST = 10;
    private static final int ENOUGH = 200;
    private static final int MOST_MISSED = 10_000;

    private final Predicate<String> isOpen;
    private final Payloads payloads;
    private final ArrayDeque<Wanted> wanted = new ArrayDeque<>();
    private final List<ScheduleInfo.Past> past = new ArrayList<>();
    private @Nullable ScheduleSpec spec;
    private boolean paused;
    private String note = "";
    private Instant last = Instant.EPOCH;
    private @Nullable String running;
    private @Nullable PendingCall child;
    private @Nullable Instant buffered;
    private boolean changed;
    private boolean deleted;
    private int dealtWith;

    /** A run that is to be started, and how. */
    private record Wanted(Instant instant, Overlap overlap) {}

    /**
     * @param isOpen whether a workflow id has an open run, by the store
     * @param payloads for what is the schedule's own
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
            if (dealtWith >= ENOUGH && wanted.isEmpty() && buffered == null) {
                replay().continueAsNew(List.of(payloads.encode(state())), List.of());
            }
            if (!awaitChange() && !paused) {
                dealWithDue(Workflow.now());
            }
        }
    }

    private void begin(ScheduleState state) {
        spec = spec == null ? state.spec() : spec; // it may have been replaced before the first line
        paused = state.paused();
        note = state.note();
        last = state.last();
        past.addAll(state.past());
        running = state.running();
        buffered = state.buffered();
    }

    private ScheduleSpec spec() {
        return Objects.requireNonNull(spec);
    }

    private Replay replay() {
        return Objects.requireNonNull(Replay.current());
    }

    /** Returns true when something has changed, and false when the next instant has come. */
    private boolean awaitChange() {
        Instant next = paused
                ? null
                : spec().timetable().next(last).map(spec()::startOf).orElse(null);
        if (buffered != null && child == null) { // started by a run before this one: nobody tells us of its end
            Instant again = Workflow.now().plus(LOOK_AGAIN);
            next = next == null || again.isBefore(next) ? again : next;
        }
        return replay().await(next, () -> changed || canStartBuffered());
    }

    private boolean canStartBuffered() {
        return buffered != null && child != null && child.isOver();
    }

    // ---- instants

    private void dealWithDue(Instant now) {
        List<Instant> due = new ArrayList<>();
        Instant missed = null;
        Timetable timetable = spec().timetable();
        Instant oldest = now.minus(spec().catchUp().window());
        Optional<Instant> next = timetable.next(last);
        while (next.isPresent() && !spec().startOf(next.get()).isAfter(now)) {
            Instant instant = next.get();
            boolean isLate = instant.plus(ON_TIME).plus(spec().jitter()).isBefore(now);
            if (!isLate || spec().catchUp().all() && !instant.isBefore(oldest) && due.size() < MOST_MISSED) {
                due.add(instant);
            } else if (!instant.isBefore(oldest)) {
                missed = instant;
            }
            last = instant;
            next = timetable.next(instant);
        }
        if (missed != null && !spec().catchUp().all()) {
            due.add(0, missed);
        }
        due.forEach(instant -> wanted.add(new Wanted(instant, spec().overlap())));
        dealtWith++;
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

    private void start(Instant instant) {
        String id = spec().idPrefix() + instant;
        child = replay().child(id, spec().type(), spec().payloads(), ParentClose.ABANDON, null);
        running = id;
        remember(instant, TimerTypes.isTimer(spec().type()) ? TimerTypes.timerId(id) : id);
    }

    private void remember(Instant instant, String startedId) {
        past.add(new ScheduleInfo.Past(instant, startedId));
        if (past.size() > PAST) {
            past.remove(0);
        }
        dealtWith++;
    }

    // ---- changes

    @Override
    public void replace(ScheduleSpec newSpec) {
        spec = newSpec;
        last = Workflow.now();
        changed = true;
    }

    @Override
    public void pause(String reason) {
        paused = true;
        note = reason;
        changed = true;
    }

    @Override
    public void resume() {
        if (paused) {
            last = Workflow.now();
        }
        paused = false;
        note = "";
        changed = true;
    }

    @Override
    public void trigger() {
        wanted.add(new Wanted(Workflow.now(), spec().overlap()));
        changed = true;
    }

    @Override
    public void backfill(Instant from, Instant to, Overlap overlap) {
        Timetable timetable = spec().timetable();
        Optional<Instant> next = timetable.next(from.minusNanos(1));
        while (next.isPresent() && !next.get().isAfter(to)) {
            wanted.add(new Wanted(next.get(), overlap));
            next = timetable.next(next.get());
        }
        changed = true;
    }

    @Override
    public void delete() {
        deleted = true;
        changed = true;
    }

    @Override
    public ScheduleState state() {
        return new ScheduleState(spec(), paused, note, last, List.copyOf(past), running, buffered);
    }
}
