package dev.dormouse.server.timeline;

import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.StepDescription;
import dev.dormouse.inspect.WaitDescription;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.server.timeline.Timeline.Bar;
import dev.dormouse.server.timeline.Timeline.Kind;
import dev.dormouse.server.timeline.Timeline.Line;
import dev.dormouse.server.timeline.Timeline.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A converter of a history to the rows of a timeline. A run's current waits and steps are not in its history before
 * they end, so they are taken from its description. Used by one thread.
 */
public final class TimelineWriter {
    /** The maximum number of rows; the earliest are left out. */
    private static final int MAX_ROWS = 1_000;

    private final RunDescription run;
    private final Instant now;
    private final List<RowBuilder> drafts = new ArrayList<>();
    private final Map<Integer, RowBuilder> calls = new LinkedHashMap<>();
    private final List<Line> lines = new ArrayList<>();
    private final MessageRows mail;
    private final RowBuilder whole;
    private final LostAttempts lostAttempts = new LostAttempts();
    private Instant before;

    private TimelineWriter(RunDescription run, Instant now) {
        this.run = run;
        this.now = now;
        this.before = run.startedAt();
        this.whole = new RowBuilder(Kind.run, run.type());
        this.mail = new MessageRows(drafts, calls);
    }

    /**
     * Returns the timeline of a run.
     *
     * @param events its whole history
     * @param waits the current waits of its code; empty if there is nothing or it is not known
     * @param now the time by the store's clock
     */
    public static Timeline of(RunDescription run, List<Event> events, List<WaitDescription> waits, Instant now) {
        TimelineWriter writer = new TimelineWriter(run, now);
        events.forEach(writer::add);
        if (!run.status().isClosed()) {
            writer.present(waits);
        }
        return writer.timeline();
    }

    private void add(Event event) {
        lostAttempts.add(event, before);
        if (event instanceof Event.RunStarted e) {
            started(e);
        } else if (event instanceof Event.RunBegan e) {
            begin(e.at());
        } else if (event instanceof Event.StepPostponed e) {
            postponed(e);
        } else if (event instanceof Event.StepHandedOut e) {
            step(e.call(), e.name())
                    .open(e.tried().startedAt(), null, State.waiting, e.tried().attempt(), "handed out");
        } else if (event instanceof Event.StepCompleted e) {
            completed(e);
        } else if (event instanceof Event.StepFailed e) {
            failed(e);
        } else if (event instanceof Event.TimerScheduled e) {
            String name = "sleep " + Duration.between(e.at(), e.deadline());
            call(e.call(), new RowBuilder(Kind.sleep, name)).open(e.at(), e.deadline(), State.waiting, 1, "");
        } else if (event instanceof Event.TimerFired e) {
            end(e.call(), e.at(), State.done, "");
        } else if (event instanceof Event.WaitTimedOut e) {
            put(new RowBuilder(Kind.await, "await")).bar(before, e.at(), State.done, 1, "timed out");
        } else if (event instanceof Event.ChildRequested e) {
            call(e.call(), new RowBuilder(Kind.child, e.type() + " " + e.workflowId()))
                    .open(e.at(), null, State.running, 1, e.workflowId());
        } else if (event instanceof Event.MailReceived e) {
            mail.received(e, before, drafts.stream().noneMatch(RowBuilder::isOpen));
        } else if (event instanceof Event.UpdateAnswered e) {
            mail.answered(e);
        } else if (event instanceof Event.Marked || event instanceof Event.VersionMarked) {
            point(event.summary(), event.at());
        } else if (event instanceof Event.MailSent e) {
            point(event.summary(), e.at());
        } else if (event instanceof Event.TakenOver e) {
            takenOver(e);
        } else if (event.isClosing()) {
            closed(event);
        }
        before = event.at();
    }

    private RowBuilder put(RowBuilder draft) {
        drafts.add(draft);
        return draft;
    }

    private RowBuilder call(int call, RowBuilder draft) {
        calls.put(call, draft);
        return put(draft);
    }

    private void point(String text, Instant at) {
        put(new RowBuilder(Kind.mark, Excerpt.of(text))).bar(at, at, State.done, 1, "");
    }

    private void end(int call, Instant at, State state, String note) {
        RowBuilder draft = calls.get(call);
        if (draft != null && draft.isOpen()) {
            draft.end(at, state, note);
        }
    }

    // ---- the run itself

    private void started(Event.RunStarted e) {
        if (e.startAt() == null) {
            whole.open(e.at(), null, State.running, 1, "");
        } else {
            whole.open(e.at(), e.startAt(), State.waiting, 1, "starts later");
        }
        mail.startedWith(e);
        Origin.Reset reset = e.origin().reset();
        if (reset != null) {
            lines.add(new Line(
                    reset.at(), "handover", "continues from event " + reset.events() + " of run " + reset.from()));
        }
    }

    private void takenOver(Event.TakenOver e) {
        long millis = Duration.between(e.lostAt(), e.takenAt()).toMillis();
        String after = millis < 1000 ? millis + " ms" : Math.round(millis / 100.0) / 10.0 + " s";
        String whose = e.from().isEmpty() ? "its" : e.from() + "'s";
        lines.add(new Line(e.lostAt(), "crash", whose + " lease ended"));
        lines.add(new Line(e.takenAt(), "takeover", e.by() + " took over after " + after));
    }

    private void begin(Instant at) {
        if (whole.isOpen()) {
            whole.end(at, State.waiting, "");
        }
        whole.open(at, null, State.running, 1, "");
    }

    private void closed(Event event) {
        boolean isGood = event instanceof Event.RunCompleted || event instanceof Event.RunContinued;
        if (whole.isOpen()) {
            whole.end(event.at(), isGood ? State.done : State.failed, isGood ? "" : Excerpt.of(event.summary()));
        }
        whole.result(event instanceof Event.RunCompleted e ? Excerpt.of(e.result()) : Excerpt.of(event.summary()));
        for (RowBuilder draft : drafts) {
            if (draft.isOpen()) {
                draft.end(event.at(), isGood ? State.done : State.failed, "ended with the run");
            }
        }
    }

    // ---- steps

    private RowBuilder step(int call, String name) {
        RowBuilder known = calls.get(call);
        if (known == null) {
            return call(call, new RowBuilder(Kind.step, name));
        }
        if (known.isOpen()) {
            known.withdraw();
        }
        return known;
    }

    private void postponed(Event.StepPostponed e) {
        int attempt = e.tried().attempt();
        RowBuilder step = step(e.call(), e.name());
        if (step.attempts() == 0) {
            lostAttempts.show(step, e.tried().startedAt());
        }
        died(step, e.name(), attempt, e.tried().startedAt());
        boolean isPause = e.failure() == null;
        step.bar(
                e.tried().startedAt(),
                e.at(),
                isPause ? State.done : State.failed,
                attempt,
                isPause ? e.pause() : Excerpt.of(String.valueOf(e.failure())));
        step.open(
                e.at(),
                e.nextAt(),
                isPause ? State.paused : State.waiting,
                isPause ? attempt : attempt + 1,
                isPause ? e.pause() : "next attempt");
    }

    /** Adds a line if an attempt is missing: starting an attempt records nothing, so its node died. */
    private void died(RowBuilder step, String name, int attempt, Instant startedAt) {
        if (attempt > step.attempts() + 1) {
            lines.add(new Line(
                    startedAt, "takeover", "attempt " + attempt + " of " + name + ", after the node of one died"));
        }
    }

    private void completed(Event.StepCompleted e) {
        RowBuilder step = calls.get(e.call());
        if (step != null && step.isOpen()) {
            tookUp(step, e.startedAt(), e.at(), State.done, "");
        } else {
            step = step(e.call(), e.name());
            int lost = lostAttempts.show(step, e.startedAt());
            step.bar(e.startedAt(), e.at(), State.done, 1 + lost, "");
        }
        step.result(Excerpt.of(e.result()));
    }

    private void failed(Event.StepFailed e) {
        String why = Excerpt.of(e.failure().toString());
        RowBuilder step = calls.get(e.call());
        if (step != null && step.isOpen()) {
            tookUp(step, e.startedAt(), e.at(), State.failed, why);
        } else {
            step = step(e.call(), e.name());
            lostAttempts.show(step, e.startedAt());
            step.bar(e.startedAt(), e.at(), State.failed, Math.max(1, e.attempts()), why);
        }
        step.result(why);
    }

    /** Ends a step that was postponed or handed out. */
    private static void tookUp(RowBuilder step, Instant startedAt, Instant at, State state, String note) {
        Bar open = step.withdraw();
        boolean wasOut = open.note().equals("handed out");
        step.bar(wasOut ? open.from() : startedAt, at, state, open.attempt(), note);
    }

    // ---- where the run stands

    private void present(List<WaitDescription> waits) {
        Map<String, RowBuilder> steps = new LinkedHashMap<>();
        calls.values().stream()
                .filter(RowBuilder::isStepOrChild)
                .forEach(draft -> steps.put(draft.row().name(), draft));
        run.steps().forEach(step -> underWay(step, steps.get(step.name())));
        waits.forEach(this::wait);
        boolean isIdle = run.status() == RunStatus.WAITING || run.status() == RunStatus.PARKED;
        if (isIdle && whole.isOpen()) {
            whole.waitsSince(before);
        }
        if (waits.isEmpty() && isIdle && drafts.stream().noneMatch(this::isWhatItWaitsFor)) {
            boolean isTime = run.wakeReason() == WakeReason.TIMER;
            put(new RowBuilder(Kind.await, "await"))
                    .open(before, isTime ? run.wakeAt().orElse(null) : null, State.waiting, 1, "");
        }
        if (run.takeovers() > 0) {
            lines.add(new Line(before, "takeover", "taken over " + run.takeovers() + " times since its last event"));
        }
    }

    /** Shows a wait. If the history knows its start, only its end may have changed; otherwise a new row starts. */
    private void wait(WaitDescription wait) {
        RowBuilder known = calls.get(wait.call());
        if (known != null && known.isOpen()) {
            wait.until().ifPresent(known::moveEnd);
        } else if (known == null && wait.call() != WaitDescription.BEGINNING) {
            boolean isStep = wait.kind() == WaitDescription.Kind.STEP;
            String name = wait.name().isEmpty() ? kind(wait).name() : wait.name();
            boolean isShown = isStep && drafts.stream().anyMatch(draft -> draft.isOpenStep(name));
            if (!isShown) {
                call(wait.call(), new RowBuilder(kind(wait), name))
                        .open(
                                wait.since(),
                                wait.until().orElse(null),
                                isStep ? State.running : State.waiting,
                                1,
                                wait.at());
            }
        }
    }

    private static Kind kind(WaitDescription wait) {
        return switch (wait.kind()) {
            case SLEEP, START -> Kind.sleep;
            case TIMER, CONDITION -> Kind.await;
            case SIGNAL -> Kind.signal;
            case EVENT -> Kind.event;
            case STEP -> Kind.step;
            case CHILD -> Kind.child;
        };
    }

    private boolean isWhatItWaitsFor(RowBuilder draft) {
        boolean isTime = run.wakeReason() == WakeReason.TIMER;
        return draft.isOpen() && (!isTime || draft.until().equals(run.wakeAt()));
    }

    private void underWay(StepDescription step, @Nullable RowBuilder known) {
        RowBuilder draft = known == null ? put(new RowBuilder(Kind.step, step.name())) : known;
        boolean isLater = step.nextAttemptAt().filter(at -> at.isAfter(now)).isPresent();
        if (isLater || step.handedOut()) {
            return;
        }
        Instant from = before;
        if (draft.isOpen()) {
            from = draft.withdraw().to().orElse(before);
        }
        draft.open(
                from,
                null,
                State.running,
                step.attempt(),
                step.progress().map(Excerpt::of).orElse(""));
    }

    private Timeline timeline() {
        List<Timeline.Row> rows = new ArrayList<>();
        rows.add(whole.row());
        int leftOut = Math.max(0, drafts.size() - MAX_ROWS);
        if (leftOut > 0) {
            point(leftOut + " earlier rows are left out", run.startedAt());
            rows.add(drafts.remove(drafts.size() - 1).row());
        }
        drafts.subList(leftOut, drafts.size()).forEach(draft -> rows.add(draft.row()));
        return new Timeline(List.copyOf(rows), List.copyOf(lines));
    }
}
