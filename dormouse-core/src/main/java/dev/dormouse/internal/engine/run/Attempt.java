package dev.dormouse.internal.engine.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.CanceledFailure;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.engine.observe.LogLabels;
import dev.dormouse.internal.engine.time.StoreClock;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.Progress;
import dev.dormouse.internal.history.Tried;
import dev.dormouse.internal.run.Evicted;
import dev.dormouse.internal.run.StepAttempt;
import dev.dormouse.internal.run.StepCall;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.internal.thread.Nanos;
import dev.dormouse.internal.thread.PlaceLoan;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.run.WakeReason;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * One attempt of a step, from its beginning to its end or until nobody waits for it any more. Its body runs on one
 * thread, the run's thread watches it, and any thread may use it as a {@link StepAttempt}.
 *
 * <p>It ends once: by what its body comes to, or by its time being up, whichever is first. What comes second is refused.
 */
public final class Attempt implements StepAttempt, PlaceLoan.Lender {
    /** The {@link #timeUp} of an attempt that may take any time. */
    static final long NEVER = Long.MAX_VALUE;

    private final StepCall step;
    private final Context context;
    private final Instant startedAt;
    private final Instant firstStartedAt;
    private final long begun;
    private final @Nullable Connection connection;
    private long lastBeat;
    private @Nullable Thread thread;
    private @Nullable Payload details;
    private @Nullable Payload checkpoint;
    private StepEnd.@Nullable Paused pause;
    private @Nullable UUID token;
    private final List<PlaceLoan> loans = new ArrayList<>();
    private final Gate handedOut;
    private boolean handOutCommitted;
    private @Nullable RuntimeException unwanted;
    private boolean abandoned;
    private boolean over;

    /** What attempts of one run have in common. */
    interface Context {
        StoreClock clock();

        long nanoTime();

        double chance();

        UUID newToken();

        void note(int call, int attempt, Progress progress);

        /** The same code, on a thread whose log lines tell what it is about. */
        Runnable labelled(Runnable body);

        Gate newGate();

        /** The run's place among those that execute. */
        LentPlace place();

        /** An attempt begins that was to wait until then. */
        void fired(WakeReason reason, Instant due);

        /** Has it recorded that the attempt hands out its token; returns at once where that takes the run's own thread. */
        void handOut(Attempt attempt);
    }

    /** @param connection for a step in a transaction, null for others */
    Attempt(StepCall step, Context context, @Nullable Connection connection) {
        Tried before = step.standing().tried();
        this.step = step;
        this.context = context;
        this.connection = connection;
        this.startedAt = context.clock().latest();
        this.firstStartedAt = before == null ? startedAt : before.firstStartedAt();
        this.details = before == null ? null : before.details();
        this.checkpoint = before == null ? null : before.checkpoint();
        this.begun = context.nanoTime();
        this.lastBeat = begun;
        this.handedOut = context.newGate();
        Instant due = step.standing().nextAt();
        if (due != null) {
            context.fired(step.standing().paused() ? WakeReason.PAUSE : WakeReason.RETRY, due);
        }
    }

    StepCall step() {
        return step;
    }

    /** Executes the body on this thread. */
    EndedAttempt run() {
        enter();
        try {
            return ended(step.body().run(this));
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
        Thread.interrupted(); // one that was meant for the step must not hit what follows
    }

    /** Whether its end counts: it does once. */
    synchronized boolean finish() {
        boolean first = !over;
        over = true;
        handedOut.open();
        return first;
    }

    private synchronized EndedAttempt ended(Payload result) {
        if (pause != null && !abandoned) {
            return end(pause);
        }
        return token == null || abandoned
                ? end(new StepEnd.Completed(result))
                : end(new StepEnd.HandedOut(token, true));
    }

    synchronized EndedAttempt failed(Throwable problem) {
        return pause != null && !abandoned
                ? end(pause)
                : end(new StepEnd.Failed(step.body().keep(problem), abandoned ? null : retryIn(problem), problem));
    }

    /** Whoever has the token may have come first, so the end of a step that was handed out has an instant. */
    private EndedAttempt end(StepEnd end) {
        Instant decided = token == null || end instanceof StepEnd.HandedOut
                ? null
                : context.clock().earliest();
        return new EndedAttempt(step, tried(), end, decided);
    }

    private Tried tried() {
        return new Tried(number(), firstStartedAt, startedAt, details, checkpoint);
    }

    /** That it hands out its token, which is recorded before anybody has it. */
    synchronized EndedAttempt handingOut() {
        return new EndedAttempt(step, tried(), new StepEnd.HandedOut(Objects.requireNonNull(token), false), null);
    }

    /** It is recorded that the attempt has handed out its token. */
    synchronized void handedOut() {
        handOutCommitted = true;
        handedOut.open();
    }

    synchronized boolean isHandOutCommitted() {
        return handOutCommitted;
    }

    private @Nullable Duration retryIn(Throwable problem) {
        Duration taken = Duration.between(firstStartedAt, context.clock().latest());
        return step.policy().retryIn(number(), problem, taken, context.chance());
    }

    // ---- for the run's thread

    /** Nobody waits for its result any more; it is interrupted, and told when it says something. */
    void abandon() {
        synchronized (this) {
            abandoned = true;
        }
        interrupt(new CanceledFailure("its workflow does not wait for it any more"), () -> {});
    }

    /** Its run has left this node, or nobody wants it: it is interrupted, and told when it says something. */
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

    /** When its time is up, by {@link Threads#nanoTime}. */
    synchronized long timeUp() {
        return over ? NEVER : Math.min(attemptUp(), Math.min(totalUp(), silentUp()));
    }

    private long attemptUp() {
        Duration longest = step.policy().attempt();
        return longest == null ? NEVER : begun + Nanos.of(longest);
    }

    private long totalUp() {
        Duration longest = step.policy().total();
        return longest == null ? NEVER : begun + Nanos.of(longest.minus(Duration.between(firstStartedAt, startedAt)));
    }

    private long silentUp() {
        Duration longest = step.policy().heartbeat();
        return longest == null ? NEVER : lastBeat + Nanos.of(longest);
    }

    /** Its end, because its time is up: it is interrupted, and what it comes to later does not count. */
    @Nullable
    EndedAttempt expire() {
        DormouseException why;
        boolean isFinal;
        synchronized (this) {
            if (over || timeUp() > context.nanoTime()) {
                return null;
            }
            isFinal = abandoned || totalUp() <= context.nanoTime();
            why = timedOut(isFinal);
            finish();
        }
        interrupt(over("its time was up"), () -> {});
        return end(new StepEnd.Failed(Failure.of(why), isFinal ? null : retryIn(why), why));
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
                        + (isSilent ? "to say within " : "to end within ") + limit
                        + (isSilent ? " that it lives" : "")
                        + ", but it did not. Give it more time, or find out what it waits for.");
    }

    static DormouseException over(String why) {
        return new DormouseException(
                ErrorCode.ATTEMPT_OVER,
                "Expected an attempt that somebody waits for, but " + why
                        + ". Stop working; what the attempt returns does not count any more.");
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

    /** Recorded before anybody has it: who uses it can rely on being heard, whatever becomes of the attempt. */
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
        }
        context.handOut(this);
        handedOut.pass();
        synchronized (this) {
            if (!handOutCommitted) {
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
                    "Expected a step in a transaction, but step '" + step.name() + "' is none.");
        }
        return connection;
    }

    private void check() {
        if (unwanted != null) {
            throw unwanted;
        } else if (over) {
            throw over("it has returned");
        }
    }
}
