package dev.dormouse.internal.engine.run;

import dev.dormouse.error.CancelledException;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.Problem;
import dev.dormouse.internal.history.Tried;
import dev.dormouse.internal.run.Evicted;
import dev.dormouse.internal.run.StepCall;
import dev.dormouse.internal.run.StepPolicy;
import dev.dormouse.internal.run.StepState;
import dev.dormouse.internal.run.StepTransition;
import dev.dormouse.internal.run.StepTransition.Cause;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.internal.thread.Threads;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one run. Each has one {@link StepState}, which changes only as {@link StepTransition} declares. A step
 * that waits for its next attempt, or for the holder of its token, has its state in its {@link StepCall}. A step in
 * flight has it in its {@link Attempt}. A step whose end was not taken yet has ended.
 *
 * <p><b>Guarantees.</b> At most one attempt of a step counts, and its end is taken once. Ends survive a restart of the
 * activation: a step that is in flight or has ended is not started again when the next activation wants it. If a
 * commit that contains an end is dropped, {@link #giveBack} returns the end to this class.
 *
 * <p><b>Executed again</b>: a step whose node died, lost its lease, closed or saw a failover before its result was
 * committed; a step of a batched type whose result was not committed yet; a step whose result the store rejected.
 * <b>Never again</b>: once its end is in the history, {@code OpenCalls} of the replay does not want it.
 *
 * <p><b>Closing.</b> When the node closes, steps in flight may finish within the grace period, and their results are
 * committed. After that they are interrupted ({@link #interrupt()}), their results are discarded, and the node that
 * claims the run executes them again.
 *
 * <p><b>Threads.</b> Confined to the run's thread, except that step threads add their ends and any thread may call
 * {@link #interrupt()}, {@link #interrupt(int, Runnable)}, {@link #isExecuting} and {@link #offer}. The lock of
 * {@code ended} guards {@code inFlight} and {@code ended}, so a step moves from one to the other atomically. A step
 * that ends and expires at the same time has one end, because {@link Attempt#finish} returns true once.
 */
public final class Steps {
    private final Threads threads;
    private final Attempt.Context context;
    private final Gate gate;
    private final Map<Integer, StepCall> waiting = new LinkedHashMap<>();
    private final Map<Integer, Attempt> inFlight = new HashMap<>();
    private final ArrayDeque<EndedAttempt> ended = new ArrayDeque<>();
    private final Set<Integer> cancelled = new HashSet<>();

    /** @param gate opened when a step has ended */
    Steps(Threads threads, Attempt.Context context, Gate gate) {
        this.threads = threads;
        this.context = context;
        this.gate = gate;
    }

    /** Notes which steps the code wants. Steps that have started in an earlier activation continue. */
    void want(List<StepCall> steps) {
        for (StepCall step : steps) {
            if (!hasBegun(step.call())) {
                place(step);
            }
        }
    }

    private void place(StepCall step) {
        StepCall.Standing standing = step.standing();
        if (standing.failed() != null) {
            waiting.remove(step.call());
            standing.state().to(StepState.ENDED, Cause.END);
            add(new EndedAttempt(step, tried(standing), failedOutside(step, standing.failed()), null));
        } else {
            waiting.put(step.call(), step);
        }
    }

    private boolean hasBegun(int call) {
        synchronized (ended) {
            if (inFlight.containsKey(call)) {
                return true;
            }
            for (EndedAttempt end : ended) {
                if (end.step().call() == call) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Returns the end of the same attempt as a failure with {@code problem}. */
    EndedAttempt failed(EndedAttempt end, Throwable problem) {
        Duration retryIn =
                end.step().policy().retryIn(end.tried().attempt(), problem, taken(end.tried()), context.chance());
        return new EndedAttempt(
                end.step(),
                end.tried(),
                new StepEnd.Failed(end.step().body().keep(problem), retryIn, problem),
                end.decided());
    }

    /** Returns the time since the first attempt started. */
    private Duration taken(Tried tried) {
        return Duration.between(tried.firstStartedAt(), context.clock().latest());
    }

    private static Tried tried(StepCall.Standing standing) {
        return Objects.requireNonNull(standing.tried());
    }

    private StepEnd failedOutside(StepCall step, Problem problem) {
        Tried tried = tried(step.standing());
        Duration retryIn = step.policy().retryIn(tried.attempt(), problem.advice(), taken(tried), context.chance());
        return new StepEnd.Failed(problem.failure(), retryIn, null);
    }

    /** Forgets waiting steps, because a new activation starts and will want them again. */
    void wantNothing() {
        waiting.clear();
        cancelled.clear();
    }

    /** Returns ends to this class: the code has not taken them, or the commit that would contain them was dropped. */
    void giveBack(List<EndedAttempt> taken) {
        taken.forEach(this::add);
    }

    private void add(EndedAttempt end) {
        synchronized (ended) {
            ended.add(end);
        }
    }

    /** Abandons a step that the code no longer waits for: it is not started, or its attempt is cancelled. */
    void abandon(int call) {
        StepCall step = waiting.remove(call);
        if (step != null) {
            step.standing().state().to(StepState.ABANDONED, Cause.ABANDON);
        }
        Attempt attempt = attempt(call);
        if (attempt != null) {
            attempt.abandon();
        }
    }

    /**
     * Ends a step whose scope was cancelled, and whose end the code awaits. Its attempt is interrupted, once, and no
     * other one starts. A step of which no attempt executes ends with the next {@link #poll}: it waits for its next
     * attempt or the holder of its token, or the node that executed it is gone.
     */
    void cancel(int call) {
        cancelled.add(call);
        Attempt attempt = attempt(call);
        if (attempt != null) {
            attempt.cancel(() -> {});
        }
    }

    private boolean isCancelled(StepCall step) {
        return cancelled.contains(step.call());
    }

    /** Returns the end of a cancelled step of which no attempt executes. */
    private EndedAttempt cancelled(StepCall step) {
        Tried before = step.standing().tried();
        Instant now = context.clock().latest();
        return new EndedAttempt(
                step,
                before == null ? new Tried(0, now, now, null, null) : before,
                new StepEnd.Failed(Failure.of(new CancelledException("its workflow was cancelled")), null, null),
                isHandedOut(step) ? context.clock().earliest() : null);
    }

    /** Removes a step that was completed or failed from outside. Any other end of it is discarded. */
    void settle(int call) {
        StepCall step = waiting.remove(call);
        if (step != null) {
            step.standing().state().to(StepState.COMPLETED, Cause.COMPLETE);
        }
        synchronized (ended) {
            Attempt attempt = inFlight.remove(call);
            if (attempt != null) {
                attempt.finish(StepState.COMPLETED, Cause.COMPLETE);
            }
            if (ended.removeIf(end -> end.step().call() == call) && attempt == null) {
                StepState.ENDED.to(StepState.COMPLETED, Cause.COMPLETE);
            }
        }
    }

    /** Returns true if a time limit of the step has expired, so that it must not start again. */
    private boolean isOutOfTime(StepCall step) {
        Tried tried = step.standing().tried();
        if (tried == null || !isReady(step) && !isPast(tried, step.policy().total())) {
            return false;
        }
        return isPast(tried, step.policy().total())
                || step.standing().lastFailure() != null
                        && isPast(tried, step.policy().retryFor());
    }

    private boolean isPast(Tried tried, @Nullable Duration limit) {
        return limit != null && context.clock().hasReached(StepEnd.later(tried.firstStartedAt(), limit));
    }

    private EndedAttempt outOfTime(StepCall step) {
        Tried tried = tried(step.standing());
        Failure last = step.standing().lastFailure();
        Failure why = isPast(tried, step.policy().total()) || last == null
                ? Failure.of(
                        Attempt.timedOut(step, tried.attempt(), step.policy().total(), false))
                : last;
        return new EndedAttempt(step, tried, new StepEnd.Failed(why, null, null), null);
    }

    // ---- start

    /** Returns true if a step may start now. */
    boolean hasReady() {
        for (StepCall step : waiting.values()) {
            if (isReady(step)) {
                return true;
            }
        }
        return false;
    }

    private boolean isReady(StepCall step) {
        Instant nextAt = step.standing().nextAt();
        return step.standing().state().isDue()
                && (nextAt == null || context.clock().hasReached(nextAt));
    }

    /** Returns the only step, if it may start now and has no time limit to watch; null otherwise. */
    @Nullable
    StepCall only() {
        if (waiting.size() != 1 || hasInFlight()) {
            return null;
        }
        StepCall step = waiting.values().iterator().next();
        return isReady(step) && !step.policy().isTimed() && !step.inTransaction() ? step : null;
    }

    /** Returns a step in a transaction that may start now; null if there is none. */
    @Nullable
    StepCall inTransaction() {
        for (StepCall step : waiting.values()) {
            if (step.inTransaction() && isReady(step)) {
                return step;
            }
        }
        return null;
    }

    /**
     * Executes a wanted step on the calling thread.
     *
     * @param begun gets the call number once the step can be interrupted
     */
    EndedAttempt runOnThisThread(StepCall step, @Nullable Connection connection, IntConsumer begun) {
        waiting.remove(step.call());
        Attempt attempt = new Attempt(step, context, connection);
        put(attempt);
        try {
            begun.accept(step.call());
            return runUnwatched(attempt);
        } finally {
            remove(attempt);
        }
    }

    private static EndedAttempt runUnwatched(Attempt attempt) {
        try {
            EndedAttempt end = attempt.run();
            EndedAttempt expired = attempt.expire(); // the run's thread could not watch its time limits
            return expired == null ? end : expired;
        } finally {
            attempt.finish(StepState.ENDED, Cause.END);
        }
    }

    /** Starts all wanted steps that may start now on threads of their own, except steps in transactions. */
    void startReady() {
        for (StepCall step : List.copyOf(waiting.values())) {
            if (!step.inTransaction() && isReady(step)) {
                start(step);
            }
        }
    }

    private void start(StepCall step) {
        Attempt attempt = new Attempt(step, context, null);
        put(attempt);
        try {
            threads.startCode("step " + step.name(), context.labelled(() -> {
                EndedAttempt end = runToTheEnd(attempt);
                synchronized (ended) {
                    if (attempt.finish(StepState.ENDED, Cause.END)) {
                        inFlight.remove(step.call(), attempt);
                        ended.add(end);
                    }
                }
                gate.open();
            }));
        } catch (RuntimeException | Error noThread) {
            remove(attempt);
            throw noThread;
        }
        waiting.remove(step.call());
    }

    /**
     * Executes the attempt. Even a throwable that a body should never throw ends the attempt, because the run waits
     * for it.
     */
    private static EndedAttempt runToTheEnd(Attempt attempt) {
        try {
            return attempt.run();
        } catch (Evicted | ThreadDeath unexpected) {
            return attempt.failed(unexpected);
        }
    }

    private void put(Attempt attempt) {
        synchronized (ended) {
            inFlight.put(attempt.step().call(), attempt);
        }
    }

    private void remove(Attempt attempt) {
        synchronized (ended) {
            inFlight.remove(attempt.step().call(), attempt);
        }
    }

    private @Nullable Attempt attempt(int call) {
        synchronized (ended) {
            return inFlight.get(call);
        }
    }

    private List<Attempt> attempts() {
        synchronized (ended) {
            return List.copyOf(inFlight.values());
        }
    }

    // ---- end

    /** Returns true if a step executes. Any thread may call it. */
    boolean isExecuting() {
        synchronized (ended) {
            return !inFlight.isEmpty();
        }
    }

    /** Returns true if a step is in flight, or has ended and was not taken. */
    boolean hasInFlight() {
        synchronized (ended) {
            return !inFlight.isEmpty() || !ended.isEmpty();
        }
    }

    /**
     * Takes the next end, after it has ended steps whose time limits have expired and cancelled steps of which no attempt
     * executes; null if there is none.
     */
    @Nullable
    EndedAttempt poll() {
        expire();
        EndedAttempt end;
        synchronized (ended) {
            end = ended.poll();
        }
        return end == null || !isSuperseded(end) ? end : poll();
    }

    /**
     * Returns true if {@code end} must be skipped: its step returned after it handed out its token, so the token's
     * holder completes it, or its attempt has ended or was abandoned before the token was recorded.
     */
    private boolean isSuperseded(EndedAttempt end) {
        if (!(end.end() instanceof StepEnd.HandedOut out)) {
            return false;
        }
        if (out.isRecorded()) {
            waiting.put(end.step().call(), awaited(end, out));
            return true;
        }
        Attempt attempt = attempt(end.step().call());
        return attempt == null || !attempt.isHandingOut();
    }

    private static StepCall awaited(EndedAttempt end, StepEnd.HandedOut out) {
        end.take();
        return end.step().with(new StepCall.Standing(end.end().next(), end.tried(), null, out.token(), null, null));
    }

    /** Adds the "token handed out" record of an attempt, which the run's thread commits. */
    void offer(Attempt attempt) {
        add(attempt.handingOut());
        gate.open();
    }

    /** Marks the token that a step has handed out as committed, and lets its body continue. */
    void handedOut(int call) {
        Attempt attempt = attempt(call);
        if (attempt != null) {
            attempt.handedOut();
        }
    }

    private void expire() {
        for (Attempt attempt : attempts()) {
            EndedAttempt end = attempt.expire();
            if (end != null) {
                synchronized (ended) {
                    inFlight.remove(end.step().call(), attempt);
                    ended.add(end);
                }
            }
        }
        for (StepCall step : List.copyOf(waiting.values())) {
            if (isCancelled(step)) {
                end(step, cancelled(step), Cause.CANCEL);
                continue;
            }
            EndedAttempt end = isHandedOut(step) ? tokenExpired(step) : isOutOfTime(step) ? outOfTime(step) : null;
            if (end != null) {
                end(step, end, Cause.EXPIRE);
            }
        }
    }

    private void end(StepCall step, EndedAttempt end, Cause cause) {
        waiting.remove(step.call());
        step.standing().state().to(StepState.ENDED, cause);
        add(end);
    }

    private static boolean isHandedOut(StepCall step) {
        return step.standing().state() == StepState.HANDED_OUT;
    }

    /** Returns the end of a step whose token has expired; null if it has not. */
    private @Nullable EndedAttempt tokenExpired(StepCall step) {
        Instant deadline = deadline(step);
        return deadline != null && context.clock().hasReached(deadline)
                ? new EndedAttempt(step, tried(step.standing()), expired(step), deadline)
                : null;
    }

    private StepEnd expired(StepCall step) {
        Tried tried = tried(step.standing());
        StepPolicy policy = step.policy();
        boolean isFinal = policy.total() != null && taken(tried).compareTo(policy.total()) >= 0;
        RuntimeException why =
                Attempt.timedOut(step, tried.attempt(), isFinal ? policy.total() : policy.attempt(), false);
        Duration retryIn = isFinal ? null : policy.retryIn(tried.attempt(), why, taken(tried), context.chance());
        return new StepEnd.Failed(Failure.of(why), retryIn, why);
    }

    /** Returns the deadline for the holder of the token; null for none. */
    private static @Nullable Instant deadline(StepCall step) {
        Tried tried = tried(step.standing());
        Instant ofAttempt = plus(tried.startedAt(), step.policy().attempt());
        Instant ofAll = plus(tried.firstStartedAt(), step.policy().total());
        return ofAttempt == null || ofAll != null && ofAll.isBefore(ofAttempt) ? ofAll : ofAttempt;
    }

    private static @Nullable Instant plus(Instant from, @Nullable Duration duration) {
        return duration == null ? null : StepEnd.later(from, duration);
    }

    /**
     * Returns when the run must act even if no input arrives: a step starts, or a token expires; null for never.
     *
     * @param grace added to the end of pauses
     */
    @Nullable
    WakeTime wake(Duration grace) {
        List<WakeTime> all = new ArrayList<>();
        for (StepCall step : waiting.values()) {
            Instant nextAt = step.standing().nextAt();
            Instant deadline = isHandedOut(step) ? deadline(step) : null;
            if (nextAt != null) {
                boolean paused = step.standing().state() == StepState.PAUSED;
                Instant begin = paused ? StepEnd.later(nextAt, grace) : nextAt;
                Instant end = plus(
                        tried(step.standing()).firstStartedAt(), step.policy().total());
                all.add(new WakeTime(
                        end != null && end.isBefore(begin) ? end : begin,
                        paused ? WakeReason.PAUSE : WakeReason.RETRY));
            } else if (deadline != null) {
                all.add(new WakeTime(deadline, WakeReason.RETRY));
            }
        }
        return all.stream().reduce(WakeTime::earlier).orElse(null);
    }

    /** Returns the time until the first time limit of a step in flight expires, at most {@code atMost}. */
    Duration untilTimeUp(Duration atMost) {
        long now = context.nanoTime();
        Duration left = atMost;
        for (Attempt attempt : attempts()) {
            long up = attempt.timeUp();
            if (up != Attempt.NEVER && left.compareTo(Duration.ofNanos(Math.max(0, up - now))) > 0) {
                left = Duration.ofNanos(Math.max(0, up - now));
            }
        }
        return left;
    }

    /** Interrupts all steps in flight because the run has left this node. */
    void interrupt() {
        attempts().forEach(attempt -> attempt.interrupt(Attempt.attemptOver("its run has left this node"), () -> {}));
    }

    /** Interrupts a step because of a cancel request, if it is in flight. Runs {@code note} before the step can end. */
    void interrupt(int call, Runnable note) {
        Attempt attempt = attempt(call);
        if (attempt != null) {
            attempt.cancel(note);
        }
    }
}
