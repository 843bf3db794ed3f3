package dev.dormouse.replay;

import dev.dormouse.engine.Gate;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A coroutine of a run: its own thread, which runs only while it has its turn. */
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

    /** @param turn where its thread waits for its turn; null for the first, which runs on the thread that drives */
    Fiber(@Nullable Gate turn, Scope scope) {
        this.turn = turn;
        this.scope = scope;
    }

    /** Whether it waits for nothing that the code has asked for. */
    boolean isIdle() {
        return idle;
    }

    void setIdle(boolean nothingToDo) {
        idle = nothingToDo;
    }

    void blockUntil(BooleanSupplier ready) {
        blockedUntil = ready;
    }

    /** Throws what its condition threw, in the coroutine whose condition it is. */
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
     * Notes that it is about to be stopped once more. Returns true if it has caught what stops it many times, or some times
     * over a long time.
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

    boolean canGoOn() {
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
