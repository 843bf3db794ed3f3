package dev.dormouse.internal.engine.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.internal.engine.observe.LogLabels;
import dev.dormouse.internal.engine.time.StoreClock;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.Progress;
import dev.dormouse.internal.history.Tried;
import dev.dormouse.internal.run.Evicted;
import dev.dormouse.internal.run.StepAttempt;
import dev.dormouse.internal.run.StepCall;
import dev.dormouse.internal.run.StepState;
import dev.dormouse.internal.run.StepTransition.Cause;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.internal.thread.Nanos;
import dev.dormouse.internal.thread.PlaceLoan;
import dev.dormouse.internal.thread.Threads;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * One attempt of a step, from its start to its end or until its result is no longer awaited.
 *
 * <p><b>Threads.</b> The body runs on one thread and the run's thread watches it. Any thread may use the attempt as a
 * {@link StepAttempt}. Its state is guarded by its monitor.
 *
 * <p><b>One end.</b> An attempt ends once, by its body or by a timeout, whichever calls {@link #finish} first. The
 * later end is discarded. An interrupt is best effort: a body that ignores it keeps its thread, but its result no
 * longer counts.
 *
 * <p><b>Completion tokens.</b> A body that calls {@link #handOut} gets a token by which an external caller completes
 * the step. The token is committed before the body receives it. Therefore a caller that has the token is always
 * heard, whatever becomes of the attempt.
 */
public final class Attempt implements StepAttempt, PlaceLoan.Lender {
    /** The {@link #timeUp} of an attempt without a time limit. */
    static final long NEVER = Long.MAX_VALUE;

    private final StepCall step;
    private final Context context;
    private final Instant startedAt;
    private final Instant firstStartedAt;
    private final long startedNanos;
    private final @Nullable Connection connection;
    private long lastBeat;
    private @Nullable Thread thread;
    private @Nullable Payload details;
    private @Nullable Payload checkpoint;
    private StepEnd.@Nullable Paused pause;
    private @Nullable UUID token;
    private final List<PlaceLoan> loans = new ArrayList<>();
    private final Gate handedOut;
    private @Nullable RuntimeException unwanted;
    private StepState state;

    /** The services of a run that its attempts use. */
    interface Context {
        StoreClock clock();

        long nanoTime();

        double chance();

        UUID newToken();

        void note(int call, int attempt, Progress progress);

        /** Returns {@code body} wrapped so that its log lines carry the labels of the run. */
        Runnable labelled(Runnable body);

        Gate newGate();

        /** Executes a body on the calling thread; see {@link Threads#callStep}. */
        Payload callStep(Callable<Payload> body) throws Exception;

        /** Returns the run's place in the {@link RunTable}. */
        LentPlace place();

        /** Reports that an attempt starts which had to wait until {@code due}. */
        void fired(WakeReason reason, Instant due);

        /**
         * Records that the attempt hands out its token. If called by another thread than the run's, returns before the
         * record is committed.
         */
        void handOut(Attempt attempt);
    }

    /** @param connection the connection of a step in a transaction; null for other steps */
    Attempt(StepCall step, Context context, @Nullable Connection connection) {
        Tried before = step.standing().tried();
        this.step = step;
        this.state = step.standing().state();
        this.context = context;
        this.connection = connection;
        this.startedAt = context.clock().latest();
        this.firstStartedAt = before == null ? startedAt : before.firstStartedAt();
        this.details = before == null ? null : before.details();
        this.checkpoint = before == null ? null : before.checkpoint();
        this.startedNanos = context.nanoTime();
        this.lastBeat = startedNanos;
        this.handedOut = context.newGate();
        Instant due = step.standing().nextAt();
        if (due != null) {
            context.fired(state == StepState.PAUSED ? WakeReason.PAUSE : WakeReason.RETRY, due);
        }
    }

    StepCall step() {
        return step;
    }

    /** Executes the body on the calling thread. */
    EndedAttempt run() {
        enter();
        try {
            return ended(
                    connection == null
                            ? context.callStep(() -> step.body().run(this))
                            : step.body().run(this));
        } catch (Evicted | ThreadDeath unwinding) {
            throw unwinding;
        } catch (Throwable problem) {
            return failed(problem);
        } finally {
            loans.forEach(PlaceLoan::close);
            leave();
        }
    }

    private synchronized void enter() {
        thread = Thread.currentThread();
        if (state.isDue()) { // otherwise it was abandoned or has expired while its thread started
            state = state.to(StepState.EXECUTING, Cause.START);
        }
        PlaceLoan.executes(this);
        MDC.put(LogLabels.STEP, step.name());
        if (unwanted != null) {
            thread.interrupt();
        }
    }

    @Override
    public void lend() {
        context.place().lend(step.name());
    }

    @Override
    public void takeBack() {
        context.place().takeBack();
    }

    @Override
    public void endWithStep(PlaceLoan loan) {
        loans.add(loan);
    }

    private synchronized void leave() {
        thread = null;
        PlaceLoan.executes(null);
        MDC.remove(LogLabels.STEP);
        Thread.interrupted(); // an interrupt meant for the step must not affect the code after it
    }

    /** Ends the attempt. Returns true for the first caller only: its end counts. */
    synchronized boolean finish(StepState end, Cause cause) {
        boolean first = !isFinished();
        if (first) {
            state = state.to(end, cause);
        }
        handedOut.open();
        return first;
    }

    private boolean isFinished() {
        return state == StepState.ENDED || state == StepState.COMPLETED;
    }

    private boolean isAbandoned() {
        return state == StepState.ABANDONED;
    }

    /** Returns true if the code waits for the end of this attempt after a cancel request, which has interrupted it. */
    private boolean isCancelled() {
        return step.waitsForCancellation() && unwanted instanceof CancelledException;
    }

    /** Returns true if no other attempt may follow, whatever the retry policy. */
    private boolean isUnwanted() {
        return isAbandoned() || isCancelled();
    }

    private synchronized EndedAttempt ended(Payload result) {
        if (pause != null && !isAbandoned()) {
            return end(pause);
        }
        return token == null || isAbandoned()
                ? end(new StepEnd.Completed(result))
                : end(new StepEnd.HandedOut(token, true));
    }

    synchronized EndedAttempt failed(Throwable problem) {
        return pause != null && !isAbandoned()
                ? end(pause)
                : end(new StepEnd.Failed(step.body().keep(problem), isUnwanted() ? null : retryIn(problem), problem));
    }

    /**
     * Returns the end of this attempt. If a token exists, its holder may have completed the step first, so the end
     * carries the instant by which the order is decided.
     */
    private EndedAttempt end(StepEnd end) {
        Instant decided = token == null || end instanceof StepEnd.HandedOut
                ? null
                : context.clock().earliest();
        return new EndedAttempt(step, tried(), end, decided);
    }

    private Tried tried() {
        return new Tried(number(), firstStartedAt, startedAt, details, checkpoint);
    }

    /** Returns the "token handed out" record. It is committed before the token is returned to the body. */
    synchronized EndedAttempt handingOut() {
        return new EndedAttempt(step, tried(), new StepEnd.HandedOut(Objects.requireNonNull(token), false), null);
    }

    /** Marks the "token handed out" record as committed, and lets {@link #handOut} return. */
    synchronized void handedOut() {
        if (isHandingOut()) {
            state = state.to(StepState.EXECUTING_HANDED_OUT, Cause.COMMIT);
        }
        handedOut.open();
    }

    /** Returns true if the "token handed out" record must be committed. */
    synchronized boolean isHandingOut() {
        return state == StepState.HANDING_OUT;
    }

    private @Nullable Duration retryIn(Throwable problem) {
        Duration taken = Duration.between(firstStartedAt, context.clock().latest());
        return step.policy().retryIn(number(), problem, taken, context.chance());
    }

    // ---- for the run's thread

    /** Cancels the attempt because the code no longer waits for its result. Interrupts the body. */
    synchronized void abandon() {
        if (!isFinished() && !isAbandoned()) {
            state = state.to(StepState.ABANDONED, Cause.ABANDON);
        }
        interrupt(new CancelledException("its workflow no longer waits for it"), () -> {});
    }

    /**
     * Interrupts the body because its run or scope was cancelled. A body whose end the code awaits is interrupted once
     * only, because it may clean up.
     *
     * @param note runs before the interrupt, if the body executes
     */
    synchronized void cancel(Runnable note) {
        if (!isCancelled()) {
            interrupt(new CancelledException("its workflow was cancelled"), note);
        } else if (thread != null) {
            note.run();
        }
    }

    /**
     * Interrupts the body because the run left this node or its result is no longer wanted. Later calls of the body
     * to this attempt throw {@code why}, or the reason of an earlier interrupt.
     *
     * @param note runs before the interrupt, if the body executes
     */
    synchronized void interrupt(RuntimeException why, Runnable note) {
        if (unwanted == null) {
            unwanted = why;
        }
        handedOut.open();
        if (thread != null) {
            note.run();
            thread.interrupt();
        }
    }

    /** Returns when the first of its time limits expires, by {@link Threads#nanoTime}; {@link #NEVER} if none does. */
    synchronized long timeUp() {
        return isFinished() ? NEVER : Math.min(attemptUp(), Math.min(totalUp(), silentUp()));
    }

    private long attemptUp() {
        Duration longest = step.policy().attempt();
        return longest == null ? NEVER : startedNanos + Nanos.of(longest);
    }

    private long totalUp() {
        Duration longest = step.policy().total();
        return longest == null
                ? NEVER
                : startedNanos + Nanos.of(longest.minus(Duration.between(firstStartedAt, startedAt)));
    }

    private long silentUp() {
        Duration longest = step.policy().heartbeat();
        return longest == null ? NEVER : lastBeat + Nanos.of(longest);
    }

    /**
     * Ends the attempt if a time limit has expired, and interrupts its body. Returns null if none has, or if it has
     * ended before.
     */
    @Nullable
    EndedAttempt expire() {
        DormouseException why;
        boolean isLast;
        synchronized (this) {
            if (timeUp() > context.nanoTime()) {
                return null;
            }
            boolean isFinal = isAbandoned() || totalUp() <= context.nanoTime();
            isLast = isFinal || isCancelled();
            why = timedOut(isFinal);
            finish(StepState.ENDED, Cause.EXPIRE);
        }
        interrupt(attemptOver("its time limit has expired"), () -> {});
        return end(new StepEnd.Failed(Failure.of(why), isLast ? null : retryIn(why), why));
    }

    private DormouseException timedOut(boolean isFinal) {
        boolean isSilent = !isFinal && attemptUp() > context.nanoTime();
        Duration limit = isFinal
                ? step.policy().total()
                : isSilent ? step.policy().heartbeat() : step.policy().attempt();
        return timedOut(step, number(), limit, isSilent);
    }

    static DormouseException timedOut(StepCall step, int attempt, @Nullable Duration limit, boolean isSilent) {
        return new DormouseException(
                ErrorCode.ATTEMPT_TIMED_OUT,
                "Expected attempt " + attempt + " of step '" + step.name() + "' "
                        + (isSilent ? "to send a heartbeat within " : "to end within ") + limit
                        + ", but it did not. Give it more time, or find out what it waits for.");
    }

    static DormouseException attemptOver(String why) {
        return new DormouseException(
                ErrorCode.ATTEMPT_OVER,
                "Expected an attempt whose result is awaited, but " + why
                        + ". Stop working; the result of this attempt is discarded.");
    }

    // ---- for the body

    @Override
    public int call() {
        return step.call();
    }

    @Override
    public int number() {
        return step.standing().attempt();
    }

    @Override
    public Instant startedAt() {
        return startedAt;
    }

    @Override
    public synchronized @Nullable Payload details() {
        return details;
    }

    @Override
    public synchronized @Nullable Payload checkpoint() {
        return checkpoint;
    }

    @Override
    public synchronized void heartbeat(@Nullable Payload said) {
        if (isCancelled()) {
            lastBeat = context.nanoTime(); // cleans up
        }
        check();
        lastBeat = context.nanoTime();
        if (said != null) {
            details = said;
            context.note(step.call(), number(), new Progress(step.name(), said));
        }
    }

    @Override
    public synchronized void keep(Payload value) {
        check();
        checkpoint = value;
    }

    @Override
    public synchronized void pause(String name, Duration delay) {
        check();
        pause = new StepEnd.Paused(name, delay);
    }

    /** Returns the completion token. It is committed before this method returns; see the class comment. */
    @Override
    public UUID handOut() {
        UUID made;
        synchronized (this) {
            check();
            if (token != null) {
                return token;
            }
            made = context.newToken();
            token = made;
            state = state.to(StepState.HANDING_OUT, Cause.HAND_OUT);
        }
        context.handOut(this);
        handedOut.pass();
        synchronized (this) {
            if (state != StepState.EXECUTING_HANDED_OUT) {
                check();
            }
        }
        return made;
    }

    @Override
    public synchronized boolean isHandedOut() {
        return token != null;
    }

    @Override
    public Connection connection() {
        if (connection == null) {
            throw new IllegalStateException(
                    "Expected a step in a transaction, but step '" + step.name() + "' does not run in one.");
        }
        return connection;
    }

    private void check() {
        if (unwanted != null) {
            throw unwanted;
        } else if (isFinished()) {
            throw attemptOver("it has returned");
        }
    }
}
