package dev.dormouse.replay;

import dev.dormouse.engine.CodeMismatch;
import dev.dormouse.engine.Deadline;
import dev.dormouse.engine.StepCall;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Event;
import dev.dormouse.history.Message;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The calls that the code has made and that have not come to an end: steps, timers, waits and children. */
final class OpenCalls {
    private final UUID runId;
    private final BiFunction<Event, String, CodeMismatch> mismatch;
    private final BiConsumer<String, Message> post;
    private final Supplier<Pending.Made> now;
    private final TreeMap<Integer, Pending> open = new TreeMap<>();
    private final TreeMap<Integer, StepCall> wanted = new TreeMap<>();
    private final List<Integer> abandoned = new ArrayList<>();
    private final List<Integer> settled = new ArrayList<>();

    /**
     * @param mismatch what to throw for an event that belongs to none of them
     * @param post sends something to a workflow id
     * @param now when and where the code makes a call
     */
    OpenCalls(
            UUID runId,
            BiFunction<Event, String, CodeMismatch> mismatch,
            BiConsumer<String, Message> post,
            Supplier<Pending.Made> now) {
        this.runId = runId;
        this.mismatch = mismatch;
        this.post = post;
        this.now = now;
    }

    Pending.Step step(StepCall step) {
        wanted.put(step.call(), step);
        return add(new Pending.Step(step, now.get()));
    }

    Pending.Timer timer(int call, Instant deadline, boolean isSleep, Scope scope) {
        return add(new Pending.Timer(call, deadline, isSleep, scope, now.get()));
    }

    Pending.Wait await(int call, OpenWait.Kind kind, String name, WaitEnd end) {
        return add(new Pending.Wait(call, kind, name, end, now.get()));
    }

    Pending.Child child(Event.ChildRequested asked, Scope scope, boolean goesOn) {
        return add(new Pending.Child(asked.call(), asked.workflowId(), asked.runId(), scope, goesOn, now.get()));
    }

    private <T extends Pending> T add(T pending) {
        open.put(pending.call, pending);
        return pending;
    }

    void remove(Pending pending) {
        open.remove(pending.call);
    }

    /** It stays open: if it has begun, now or in an earlier stay, its end is still to come. */
    void abandon(Pending.Step step) {
        wanted.remove(step.call);
        step.abandon();
        abandoned.add(step.call);
    }

    /** The names of steps that nothing has executed, because the code ended first. */
    @SuppressWarnings("ReferenceEquality") // NEW is one object
    List<String> neverBegun() {
        return wanted.values().stream()
                .filter(step -> step.standing() == StepCall.Standing.NEW)
                .map(StepCall::name)
                .toList();
    }

    List<StepCall> takeWanted() {
        List<StepCall> taken = List.copyOf(wanted.values());
        wanted.clear();
        return taken;
    }

    List<Integer> takeSettled() {
        List<Integer> taken = List.copyOf(settled);
        settled.clear();
        return taken;
    }

    List<Integer> takeAbandoned() {
        List<Integer> taken = List.copyOf(abandoned);
        abandoned.clear();
        return taken;
    }

    @Nullable
    Deadline earliest() {
        Deadline earliest = null;
        for (Pending pending : open.values()) {
            Instant at = pending.isOver() ? null : pending.deadline();
            if (at != null && (earliest == null || at.isBefore(earliest.at()))) {
                earliest = new Deadline(at, pending.call, pending instanceof Pending.Timer);
            }
        }
        return earliest;
    }

    /** All of them, in the order in which they were made. */
    List<OpenWait> describe() {
        return open.values().stream()
                .filter(pending -> !pending.isOver())
                .map(Pending::describe)
                .toList();
    }

    /** Moves the end of a sleep, a timer, a wait or a back-off, because somebody outside of the run asks for it. */
    void move(int call, Instant to, String reason) {
        Pending pending = open.get(call);
        if (pending instanceof Pending.Timer timer && !timer.isOver()) {
            timer.move(Deadlines.of(to));
        } else if (pending instanceof Pending.Wait wait && !wait.isOver() && wait.end.canMove()) {
            Deadlines.of(to); // one that no store can hold is for the caller
            wait.end.move(to, reason);
        } else if (pending instanceof Pending.Step step
                && step.isWaiting(now.get().at())) {
            want(step, step.moved(Deadlines.of(to)));
        } else {
            throw new DormouseException(
                    ErrorCode.TIMER_REFUSED,
                    "Expected call " + call + " to be a wait that can be moved, one of " + movable()
                            + ", but it is not, or is over. Look at the run's waits again.");
        }
    }

    private List<Integer> movable() {
        return describe().stream().filter(OpenWait::canMove).map(OpenWait::call).toList();
    }

    /** Ends the call that an event is about, if it is about one. */
    void apply(Event event) {
        if (event instanceof Event.StepCompleted done) {
            ended(done.call(), event).complete(done.result());
        } else if (event instanceof Event.StepFailed failed) {
            ended(failed.call(), event).fail(failed.failure(), failed.attempts());
        } else if (event instanceof Event.StepPostponed later) {
            Pending.Step step = pending(later.call(), Pending.Step.class, event);
            want(step, step.postponed(later));
        } else if (event instanceof Event.StepHandedOut out) {
            Pending.Step step = pending(out.call(), Pending.Step.class, event);
            want(step, step.handedOut(out));
        } else if (event instanceof Event.TimerFired fired) {
            pending(fired.call(), Pending.Timer.class, event).end();
        } else if (event instanceof Event.WaitTimedOut out) {
            pending(out.call(), Pending.Wait.class, event).end();
        }
    }

    /** An abandoned one is not begun again. */
    private void want(Pending.Step step, StepCall next) {
        if (step.isAbandoned()) {
            open.remove(step.call);
        } else {
            wanted.put(step.call, next);
        }
    }

    /** Somebody who has the token of a step, or had it, says what it came to. */
    void stepEnded(Message.StepEnded end) {
        if (open.get(end.call()) instanceof Pending.Step step
                && !step.isOver()
                && !step.isAbandoned()
                && step.takes(end)) {
            endFromOutside(step, end);
        }
    }

    private void endFromOutside(Pending.Step step, Message.StepEnded end) {
        if (end.problem() == null) {
            step.complete(end.result());
            wanted.remove(step.call);
            settled.add(step.call);
        } else {
            want(step, step.failedOutside(end.problem()));
        }
    }

    private Pending.Step ended(int call, Event event) {
        wanted.remove(call);
        Pending.Step step = pending(call, Pending.Step.class, event);
        if (step.isAbandoned()) {
            open.remove(call);
        }
        return step;
    }

    private <T extends Pending> T pending(int call, Class<T> kind, Event event) {
        Pending pending = open.get(call);
        if (!kind.isInstance(pending) || pending.isOver()) {
            throw mismatch.apply(event, "the code waits at " + SourceLine.ofCaller());
        }
        return kind.cast(pending);
    }

    void childEnded(Message.ChildEnded ended) {
        if (ended.parentRunId().equals(runId)
                && open.get(ended.call()) instanceof Pending.Child child
                && !child.isOver()) {
            child.end(ended.end());
        }
    }

    /** Cancels timers and children that were asked for in a scope; what waits in it wakes by itself. */
    void cancelAll(Scope scope, String reason) {
        for (Pending pending : List.copyOf(open.values())) {
            if (pending instanceof Pending.Child child && child.scope.isWithin(scope) && !child.goesOn) {
                cancel(child, reason);
            } else if (pending instanceof Pending.Timer timer && timer.scope.isWithin(scope)) {
                cancel(timer, reason);
            }
        }
    }

    void cancel(Pending.Timer timer, String reason) {
        timer.cancel(reason);
        open.remove(timer.call);
    }

    void cancel(Pending.Child child, String reason) {
        if (!child.isOver() && !child.cancelled) {
            child.cancelled = true;
            post.accept(child.workflowId, new Message.Cancel(child.runId, reason));
        }
    }
}
