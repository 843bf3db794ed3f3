package dev.dormouse.internal.engine.run;

import dev.dormouse.error.CanceledFailure;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.Problem;
import dev.dormouse.internal.history.Tried;
import dev.dormouse.internal.run.Evicted;
import dev.dormouse.internal.run.StepCall;
import dev.dormouse.internal.run.StepPolicy;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.run.WakeReason;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one run: those that the code wants, some of them not before an instant; those that execute; those whose
 * result somebody else will bring; and those that came to an end. Belongs to the run's thread, but for the ends of steps
 * that execute on threads of their own, and for {@link #interrupt}.
 */
public final class Steps {
    private final Threads threads;
    private final Attempt.Context context;
    private final Gate gate;
    private final Map<Integer, StepCall> wanted = new LinkedHashMap<>();
    private final Map<Integer, StepCall> handedOut = new LinkedHashMap<>();
    private final Map<Integer, Attempt> inFlight = new HashMap<>();
    private final ArrayDeque<EndedAttempt> ended = new ArrayDeque<>();

    /** @param gate opened when a step came to an end */
    Steps(Threads threads, Attempt.Context context, Gate gate) {
        this.threads = threads;
        this.context = context;
        this.gate = gate;
    }

    /** Notes what the code wants; what it has begun in an earlier stay of the run goes on from there. */
    void want(List<StepCall> steps) {
        for (StepCall step : steps) {
            handedOut.remove(step.call());
            if (!hasBegun(step.call())) {
                place(step);
            }
        }
    }

    private void place(StepCall step) {
        StepCall.Standing standing = step.standing();
        if (standing.failed() != null) {
            add(new EndedAttempt(step, tried(standing), failedOutside(step, standing.failed()), null));
        } else if (standing.token() != null) {
            handedOut.put(step.call(), step);
        } else {
            wanted.put(step.call(), step);
        }
    }

    private boolean hasBegun(int call) {
        synchronized (ended) {
            return inFlight.containsKey(call)
                    || ended.stream().anyMatch(end -> end.step().call() == call);
        }
    }

    /** The same attempt, but it has failed after all. */
    EndedAttempt failed(EndedAttempt end, Throwable problem) {
        Duration retryIn =
                end.step().policy().retryIn(end.tried().attempt(), problem, taken(end.tried()), context.chance());
        return new EndedAttempt(
                end.step(),
                end.tried(),
                new StepEnd.Failed(end.step().body().keep(problem), retryIn, problem),
                end.decided());
    }

    /** How long all attempts have taken so far. */
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

    /** A new stay of the run begins: it will want again what it wants. */
    void wantNothing() {
        wanted.clear();
        handedOut.clear();
    }

    /** Takes back steps whose ends were taken but never committed. */
    void giveBack(List<EndedAttempt> taken) {
        taken.forEach(this::add);
    }

    private void add(EndedAttempt end) {
        synchronized (ended) {
            ended.add(end);
        }
    }

    /** The code does not wait for it any more: it is not begun, or it is told. */
    void abandon(int call) {
        wanted.remove(call);
        handedOut.remove(call);
        Attempt attempt = attempt(call);
        if (attempt != null) {
            attempt.abandon();
        }
    }

    /** It was ended from outside: whatever else it comes to does not count. */
    void settle(int call) {
        wanted.remove(call);
        handedOut.remove(call);
        synchronized (ended) {
            ended.removeIf(end -> end.step().call() == call);
            Attempt attempt = inFlight.remove(call);
            if (attempt != null) {
                attempt.finish();
            }
        }
    }

    /** What has no time left is not begun. */
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

    // ---- beginning

    /** Whether a step may begin now. */
    boolean hasReady() {
        return wanted.values().stream().anyMatch(this::isReady);
    }

    private boolean isReady(StepCall step) {
        Instant nextAt = step.standing().nextAt();
        return nextAt == null || context.clock().hasReached(nextAt);
    }

    /** The one step that is there, if it may begin now and nobody needs to watch it; null otherwise. */
    @Nullable
    StepCall only() {
        if (wanted.size() != 1 || !handedOut.isEmpty() || hasInFlight()) {
            return null;
        }
        StepCall step = wanted.values().iterator().next();
        return isReady(step) && !step.policy().isTimed() && !step.inTransaction() ? step : null;
    }

    /** A step in a transaction that may begin now. */
    @Nullable
    StepCall inTransaction() {
        for (StepCall step : wanted.values()) {
            if (step.inTransaction() && isReady(step)) {
                return step;
            }
        }
        return null;
    }

    /**
     * Executes a wanted step here and now.
     *
     * @param begun told its call when it can be interrupted
     */
    EndedAttempt runHere(StepCall step, @Nullable Connection connection, IntConsumer begun) {
        wanted.remove(step.call());
        Attempt attempt = new Attempt(step, context, connection);
        put(attempt);
        try {
            begun.accept(step.call());
            EndedAttempt late = attempt.run();
            EndedAttempt expired = attempt.expire(); // nobody has watched it meanwhile
            return expired == null ? late : expired;
        } finally {
            attempt.finish();
            remove(attempt);
        }
    }

    /** Starts all wanted steps that may begin now, on threads of their own; not those in transactions. */
    void startReady() {
        for (StepCall step : List.copyOf(wanted.values())) {
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
                    if (attempt.finish()) {
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
        wanted.remove(step.call());
    }

    /** Also what nobody should throw ends the step: somebody waits for it. */
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

    // ---- ending

    /** Returns true if a step executes. Any thread may call it. */
    boolean isExecuting() {
        synchronized (ended) {
            return !inFlight.isEmpty();
        }
    }

    /** Whether an end is to be expected, or is there to be taken. */
    boolean hasInFlight() {
        synchronized (ended) {
            return !inFlight.isEmpty() || !ended.isEmpty();
        }
    }

    @Nullable
    EndedAttempt poll() {
        expire();
        EndedAttempt end;
        synchronized (ended) {
            end = ended.poll();
        }
        return end == null || !isOld(end) ? end : poll();
    }

    /** A step that had handed out its token has returned, so that only the token counts; or it is gone before it could. */
    private boolean isOld(EndedAttempt end) {
        if (!(end.end() instanceof StepEnd.HandedOut out)) {
            return false;
        }
        if (out.isRecorded()) {
            handedOut.put(end.step().call(), awaited(end, out));
        }
        return out.isRecorded() || attempt(end.step().call()) == null;
    }

    private static StepCall awaited(EndedAttempt end, StepEnd.HandedOut out) {
        return end.step().with(new StepCall.Standing(end.tried(), null, false, out.token(), null, null));
    }

    /** An attempt hands out its token: that is to be recorded. */
    void offer(Attempt attempt) {
        add(attempt.handingOut());
        gate.open();
    }

    /** It is recorded that this step has handed out its token. */
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
        for (StepCall step : List.copyOf(wanted.values())) {
            if (isOutOfTime(step)) {
                wanted.remove(step.call());
                add(outOfTime(step));
            }
        }
        for (StepCall step : List.copyOf(handedOut.values())) {
            Instant deadline = deadline(step);
            if (deadline != null && context.clock().hasReached(deadline)) {
                handedOut.remove(step.call());
                add(new EndedAttempt(step, tried(step.standing()), expired(step), deadline));
            }
        }
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

    /** When whoever has the token is too late; null for never. */
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
     * When something is to be done although nothing comes in: a step begins, or a token is too old; null for never.
     *
     * @param grace how much later pauses end
     */
    @Nullable
    WakeTime wake(Duration grace) {
        List<WakeTime> all = new ArrayList<>();
        for (StepCall step : wanted.values()) {
            Instant nextAt = step.standing().nextAt();
            if (nextAt != null) {
                boolean paused = step.standing().paused();
                Instant begin = paused ? StepEnd.later(nextAt, grace) : nextAt;
                Instant end = plus(
                        tried(step.standing()).firstStartedAt(), step.policy().total());
                all.add(new WakeTime(
                        end != null && end.isBefore(begin) ? end : begin,
                        paused ? WakeReason.PAUSE : WakeReason.RETRY));
            }
        }
        for (StepCall step : handedOut.values()) {
            Instant deadline = deadline(step);
            if (deadline != null) {
                all.add(new WakeTime(deadline, WakeReason.RETRY));
            }
        }
        return all.stream().reduce(WakeTime::earlier).orElse(null);
    }

    /** How long until the time of a step that executes is up. */
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

    /** Interrupts what executes: its run has left this node. */
    void interrupt() {
        attempts().forEach(attempt -> attempt.interrupt(Attempt.over("its run has left this node"), () -> {}));
    }

    /** Interrupts this step because of a cancel, if it executes, and lets that be noted before the step can end. */
    void interrupt(int call, Runnable note) {
        Attempt attempt = attempt(call);
        if (attempt != null) {
            attempt.interrupt(new CanceledFailure("its workflow was cancelled"), note);
        }
    }
}
