package dev.dormouse.replay;

import dev.dormouse.engine.Gate;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A coroutine of a run: its own thread, which runs only while it has its turn. */
final class Fiber {
    final @Nullable Gate turn;
    private @Nullable BooleanSupplier blockedUntil;
    private boolean done;

    /** @param turn where its thread waits for its turn; null for the first, which runs on the thread that drives */
    Fiber(@Nullable Gate turn) {
        this.turn = turn;
    }

    void blockUntil(BooleanSupplier ready) {
        blockedUntil = ready;
    }

    void unblock() {
        blockedUntil = null;
    }

    void end() {
        done = true;
    }

    boolean isDone() {
        return done;
    }

    boolean canGoOn() {
        return !done && (blockedUntil == null || blockedUntil.getAsBoolean());
    }
}
