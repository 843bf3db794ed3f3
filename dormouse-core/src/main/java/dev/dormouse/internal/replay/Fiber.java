package dev.dormouse.internal.replay;

import dev.dormouse.internal.thread.Gate;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A coroutine of a run. It has its own thread, which runs only while the coroutine has its turn. Used only by the
 * thread that has the turn, see {@link Fibers}.
 */
final class Fiber {
    private static final int SOME = 100;
    private static final int MANY = 10_000;
    private static final long LONG_NANOS = Duration.ofSeconds(10).toNanos();

    final @Nullable Gate turn;
    Scope scope;
    private boolean idle;
    private @Nullable BooleanSupplier blockedUntil;
    private @Nullable RuntimeException problem;
    private boolean done;
    private int stops;
    private long someSince;

    /**
     * @param turn the gate at which its thread waits for its turn; null for the first coroutine, which runs on the
     *     driving thread
     */
    Fiber(@Nullable Gate turn, Scope scope) {
        this.turn = turn;
        this.scope = scope;
    }

    /** Returns true if it waits for work rather than for something that the code has requested. */
    boolean isIdle() {
        return idle;
    }

    void setIdle(boolean nothingToDo) {
        idle = nothingToDo;
    }

    void blockUntil(BooleanSupplier ready) {
        blockedUntil = ready;
    }

    /** Clears the condition. Throws what the condition threw, in the coroutine to which the condition belongs. */
    void unblock() {
        blockedUntil = null;
        RuntimeException thrown = problem;
        problem = null;
        if (thrown != null) {
            throw thrown;
        }
    }

    void end() {
        done = true;
    }

    /**
     * Counts that the coroutine is about to be stopped again. Returns true if it has caught the stopping exception more
     * than {@link #MANY} times, or more than {@link #SOME} times over more than ten seconds.
     */
    boolean isDeaf(long nanoTime) {
        stops++;
        if (stops == SOME) {
            someSince = nanoTime;
        }
        return stops > MANY || stops > SOME && nanoTime - someSince > LONG_NANOS;
    }

    boolean isDone() {
        return done;
    }

    boolean canContinue() {
        return !done && (blockedUntil == null || holds(blockedUntil));
    }

    private boolean holds(BooleanSupplier condition) {
        try {
            return condition.getAsBoolean();
        } catch (RuntimeException thrown) {
            problem = thrown;
            return true;
        }
    }
}
