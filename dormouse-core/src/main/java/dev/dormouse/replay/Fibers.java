package dev.dormouse.replay;

import dev.dormouse.engine.CodeMismatch;
import dev.dormouse.engine.Evicted;
import dev.dormouse.engine.Gate;
import dev.dormouse.engine.Session;
import dev.dormouse.engine.Threads;
import dev.dormouse.error.CanceledFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The coroutines of one run, of which one runs at a time, in an order that depends on nothing but what they do: each in
 * turn, in order of creation, until it blocks; when none can go on, the next input is taken.
 *
 * <p>The first one runs on the thread that executes the run, and whenever it blocks it drives the others from within
 * its blocking call. So a workflow with one coroutine, which is most of them, never changes threads. The others have
 * threads of their own and hand the turn back when they block.
 *
 * <p>Once {@link #stop} was called, every coroutine is unwound: what it was given is thrown at each blocking call.
 */
final class Fibers {
    /** So many cancelled calls in a row, without anything happening in between, are a loop. */
    private static final int MOST_CANCELS = 10_000;

    private final Threads threads;
    private final Runnable nextInput;
    private final Session session;
    private final Gate driver;
    private final Scope root = new Scope(null);
    private final Fiber first = new Fiber(null, root);
    private final List<Fiber> fibers = new ArrayList<>(List.of(first));
    private Fiber current = first;
    private int cursor;
    private boolean moved;
    private int cancels;
    private @Nullable Throwable stopped;

    /** @param nextInput called on the driving thread when no coroutine can go on */
    Fibers(Threads threads, Runnable nextInput, Session session) {
        this.session = session;
        this.threads = threads;
        this.nextInput = nextInput;
        this.driver = threads.newGate();
    }

    /** Whether no coroutine but the first has anything to do. */
    boolean isAlone() {
        for (Fiber fiber : fibers) {
            if (fiber != first && !fiber.isIdle()) {
                return false;
            }
        }
        return true;
    }

    /** Whether the first one has its turn. */
    boolean isFirst() {
        return current == first;
    }

    /** The scope that is cancelled with the run. */
    Scope root() {
        return root;
    }

    /** The scope of the one that has its turn. */
    Scope scope() {
        return current.scope;
    }

    void enter(Scope scope) {
        current.scope = scope;
    }

    /** Blocks one that has nothing to do until it has. */
    void idle(BooleanSupplier ready) {
        Fiber me = current;
        me.setIdle(true);
        block(ready);
        me.setIdle(false);
    }

    /** From now on every blocking call throws this. */
    void stop(Throwable reason) {
        if (stopped == null) {
            stopped = reason;
        }
    }

    void checkStopped() {
        Throwable reason = stopped;
        if (reason != null && current.isDeaf(threads.nanoTime())) {
            abandon(current, reason);
        }
        if (stopped instanceof Error error) {
            throw error;
        } else if (stopped instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** Throws if the scope of the one that has its turn is cancelled. Stops code that does nothing but catch that. */
    void checkScope() {
        if (current.scope.isCancelled() && ++cancels > MOST_CANCELS) {
            stop(CodeMismatch.doesNotLeave(session.run(), SourceLine.ofCaller()));
            checkStopped();
        }
        current.scope.check();
    }

    /** Continues without a coroutine that catches what stops it. A thread cannot be ended, but it can be made to wait. */
    private void abandon(Fiber deaf, Throwable reason) {
        String line = SourceLine.ofCaller();
        if (deaf == first) {
            unwind(reason);
        }
        session.abandon(reason, line, deaf == first);
        if (deaf != first) {
            deaf.end();
            driver.open();
        }
        threads.waitForGood();
    }

    /** Adds a coroutine, which gets its first turn when the others have had theirs. */
    void add(String name, Runnable body) {
        Gate turn = threads.newGate();
        Fiber fiber = new Fiber(turn, root);
        threads.startCode(name, () -> {
            turn.pass();
            try {
                checkStopped();
                body.run();
            } catch (Evicted | CanceledFailure unwound) {
                // the others are told by the one who evicts
            } catch (RuntimeException | Error problem) {
                stop(problem);
            } finally {
                fiber.end();
                driver.open();
            }
        });
        fibers.add(fiber); // only now: without a thread it would never hand the turn back
    }

    /** Blocks the coroutine that has its turn until this holds. */
    void block(BooleanSupplier ready) {
        checkStopped();
        Fiber me = current;
        me.blockUntil(ready);
        Gate turn = me.turn;
        if (turn == null) {
            drive();
        } else {
            driver.open();
            turn.pass();
        }
        checkStopped();
        me.unblock();
    }

    /** Gives all coroutines but the first their turn until none can go on. */
    void settle() {
        first.end();
        cursor = 0;
        while (takeTurns()) {
            checkStopped();
        }
    }

    /** Unwinds all coroutines but the first. */
    void unwind(Throwable reason) {
        stop(reason);
        for (Fiber fiber : fibers) {
            while (fiber.turn != null && !fiber.isDone()) {
                giveTurn(fiber, fiber.turn);
            }
        }
    }

    /** Returns when the first coroutine can go on. */
    private void drive() {
        while (true) {
            checkStopped();
            while (cursor < fibers.size()) {
                Fiber fiber = fibers.get(cursor++);
                if (fiber.canGoOn()) {
                    moved = true;
                    if (fiber == first) {
                        current = first;
                        return;
                    }
                    giveTurn(fiber);
                    checkStopped();
                }
            }
            endPass();
        }
    }

    private void endPass() {
        fibers.removeIf(fiber -> fiber != first && fiber.isDone());
        cursor = 0;
        if (!moved) {
            cancels = 0;
            nextInput.run();
        }
        moved = false;
    }

    private boolean takeTurns() {
        boolean any = false;
        for (Fiber fiber : List.copyOf(fibers)) {
            if (fiber.canGoOn()) {
                any = true;
                giveTurn(fiber);
            }
        }
        fibers.removeIf(fiber -> fiber != first && fiber.isDone());
        return any;
    }

    private void giveTurn(Fiber fiber) {
        Gate turn = fiber.turn;
        if (turn != null) {
            giveTurn(fiber, turn);
        }
    }

    private void giveTurn(Fiber fiber, Gate turn) {
        current = fiber;
        turn.open();
        driver.pass();
        current = first;
    }
}
