package dev.dormouse.internal.replay;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.run.CodeMismatch;
import dev.dormouse.internal.run.Deadline;
import dev.dormouse.internal.run.StepCall;
import dev.dormouse.internal.run.StepState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of the code that have not ended: steps, timers, waits and children. This is where commands and inputs meet:
 * a call is added when the code makes it, and an input ends the call with its number. An input that belongs to no open
 * call is a code mismatch.
 *
 * <p>Steps that the engine has to execute are collected in {@code wanted} until the session takes them. During replay,
 * the recorded end of a step removes it from there, so that it is not executed again. Belongs to the run's coroutines.
 */
final class OpenCalls {
    private final UUID runId;
    private final BiFunction<Event, String, CodeMismatch> mismatch;
    private final BiConsumer<String, Message> post;
    private final Supplier<Pending.Made> now;
    private final TreeMap<Integer, Pending> open = new TreeMap<>();
    private final TreeMap<Integer, StepCall> wanted = new TreeMap<>();
    private final List<Integer> abandoned = new ArrayList<>();
    private final Set<Integer> cancelled = new TreeSet<>();
    private final List<Integer> settled = new ArrayList<>();

    /**
     * @param mismatch creates the exception for an event that belongs to no open call
     * @param post sends a message to a workflow id
     * @param now returns when and where the code makes a call
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

    Pending.Child child(Event.ChildRequested asked, Scope scope, boolean outlivesParent) {
        return add(new Pending.Child(asked, scope, outlivesParent, now.get()));
    }

    private <T extends Pending> T add(T pending) {
        open.put(pending.call, pending);
        return pending;
    }

    void remove(Pending pending) {
        open.remove(pending.call);
        cancelled.remove(pending.call);
    }

    /** Marks a step whose scope was cancelled, and whose end the code awaits. No further attempt of it starts. */
    void cancel(Pending.Step step) {
        cancelled.add(step.call);
    }

    /** Returns the call numbers of {@link #cancel cancelled} steps whose end the code awaits. */
    List<Integer> cancelled() {
        return List.copyOf(cancelled);
    }

    /**
     * Marks a step that the code no longer waits for. It stays open: if it has begun, in this activation or an earlier
     * one, its end will follow.
     */
    void abandon(Pending.Step step) {
        wanted.remove(step.call);
        step.abandon();
        abandoned.add(step.call);
    }

    /** Returns the names of steps that were never executed because the code ended first. */
    List<String> neverBegun() {
        return wanted.values().stream()
                .filter(step -> step.standing().state() == StepState.REQUESTED)
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

    /** Returns descriptions of all open calls, in the order in which the code made them. */
    List<OpenWait> describe() {
        return open.values().stream()
                .filter(pending -> !pending.isOver())
                .map(Pending::describe)
                .toList();
    }

    /**
     * Moves the end of a sleep, timer, wait or back-off, because a caller outside of the run requests it.
     *
     * @throws DormouseException TIMER_REFUSED if the call cannot be moved or has ended
     */
    void move(int call, Instant to, String reason) {
        Pending pending = open.get(call);
        if (pending instanceof Pending.Timer timer && !timer.isOver()) {
            timer.move(Deadlines.of(to));
        } else if (pending instanceof Pending.Wait wait && !wait.isOver() && wait.end.canMove()) {
            Deadlines.of(to); // throws for the caller if no store can hold it
            wait.end.move(to, reason);
        } else if (pending instanceof Pending.Step step
                && step.isWaiting(now.get().at())) {
            want(step.moved(Deadlines.of(to)));
        } else {
            throw new DormouseException(
                    ErrorCode.TIMER_REFUSED,
                    "Expected call " + call + " to be a wait that can be moved, one of " + movable()
                            + ", but it is not, or has ended. List the run's waits again.");
        }
    }

    private List<Integer> movable() {
        return describe().stream().filter(OpenWait::canMove).map(OpenWait::call).toList();
    }

    /** Ends the call to which an event belongs, if it belongs to one. */
    void apply(Event event) {
        if (event instanceof Event.StepCompleted done) {
            take(done.call(), event, step -> step.complete(done.result()));
        } else if (event instanceof Event.StepFailed failed) {
            take(failed.call(), event, step -> step.fail(failed.failure(), failed.attempts()));
        } else if (event instanceof Event.StepPostponed later) {
            take(later.call(), event, step -> want(step.postponed(later)));
        } else if (event instanceof Event.StepHandedOut out) {
            take(out.call(), event, step -> want(step.handedOut(out)));
        } else if (event instanceof Event.TimerFired fired) {
            pending(fired.call(), Pending.Timer.class, event).end();
        } else if (event instanceof Event.WaitTimedOut out) {
            pending(out.call(), Pending.Wait.class, event).end();
        }
    }

    /** Applies the end of an attempt. It closes an abandoned step, unless the attempt only hands out its token. */
    private void take(int call, Event event, Consumer<Pending.Step> change) {
        Pending.Step step = pending(call, Pending.Step.class, event);
        wanted.remove(call);
        if (!step.isAbandoned()) {
            change.accept(step);
        } else if (!(event instanceof Event.StepHandedOut)) {
            open.remove(call);
        }
    }

    private void want(StepCall next) {
        wanted.put(next.call(), next);
    }

    /** Applies the result that a holder of the step's token has sent. A result with an outdated token is ignored. */
    void stepEnded(Message.StepEnded end) {
        if (open.get(end.call()) instanceof Pending.Step step && step.takes(end)) {
            endFromOutside(step, end);
        }
    }

    private void endFromOutside(Pending.Step step, Message.StepEnded end) {
        if (end.problem() == null) {
            step.complete(end.result());
            wanted.remove(step.call);
            settled.add(step.call);
        } else {
            want(step.failedOutside(end.problem()));
        }
    }

    private <T extends Pending> T pending(int call, Class<T> kind, Event event) {
        Pending pending = open.get(call);
        if (!kind.isInstance(pending) || pending.isOver()) {
            throw mismatch.apply(event, "the code waits at " + SourceLine.ofCaller());
        }
        return kind.cast(pending);
    }

    /** @param isRefused true if the child was not started */
    void childEnded(Message.ChildEnded ended, boolean isRefused) {
        if (ended.parentRunId().equals(runId)
                && open.get(ended.call()) instanceof Pending.Child child
                && !child.isOver()) {
            child.end(ended.end(), isRefused);
        }
    }

    void childStarted(Message.ChildStarted begun) {
        if (begun.parentRunId().equals(runId)
                && open.get(begun.call()) instanceof Pending.Child child
                && !child.isStarted()) {
            child.started(begun.childRunId());
        }
    }

    /** Cancels timers and children that were requested in a scope. Coroutines that wait in it wake by themselves. */
    void cancelAll(Scope scope, String reason) {
        for (Pending pending : List.copyOf(open.values())) {
            if (pending instanceof Pending.Child child && child.scope.isWithin(scope) && !child.outlivesParent) {
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
            post.accept(child.workflowId, new Message.Cancel(child.requestedRunId, reason));
        }
    }
}
