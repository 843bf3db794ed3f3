package dev.dormouse.internal.replay;

import dev.dormouse.error.CancelledException;
import dev.dormouse.internal.run.CodeMismatch;
import dev.dormouse.internal.run.Evicted;
import dev.dormouse.internal.run.Session;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.internal.thread.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The coroutines of one run.
 *
 * <p><b>Order</b>: one coroutine runs at a time. Each gets its turn in order of creation and runs until it blocks. If
 * none can continue, the next input is taken. So the order depends only on what the coroutines do, and is the same in
 * every replay.
 *
 * <p><b>Threads</b>: the first coroutine runs on the thread that executes the run. When it blocks, it drives the others
 * from within its blocking call. So a workflow with one coroutine, which most are, never changes threads. The other
 * coroutines have their own threads and return the turn when they block.
 *
 * <p><b>Stop</b>: after {@link #stop}, every blocking call throws the given exception, so that all coroutines unwind.
 * Code that catches it again and again is abandoned: its thread waits forever, and the others unwind without it.
 *
 * <p><b>Concurrency</b>: only the thread that has the turn may call this class, and no field is synchronized. Passing
 * the turn through a {@link Gate} orders the memory accesses of the two threads.
 */
final class Fibers {
    /** The number of consecutive cancelled calls, without an input between them, that counts as an endless loop. */
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

    /** @param nextInput called on the driving thread when no coroutine can continue */
    Fibers(Threads threads, Runnable nextInput, Session session) {
        this.session = session;
        this.threads = threads;
        this.nextInput = nextInput;
        this.driver = threads.newGate();
    }

    /** Returns true if only the first coroutine has anything to do. */
    boolean isAlone() {
        for (Fiber fiber : fibers) {
            if (fiber != first && !fiber.isIdle()) {
                return false;
            }
        }
        return true;
    }

    /** Returns true if the first coroutine has the turn. */
    boolean isFirst() {
        return current == first;
    }

    /** Returns the scope that is cancelled with the run. */
    Scope root() {
        return root;
    }

    /** Returns the scope of the coroutine that has the turn. */
    Scope scope() {
        return current.scope;
    }

    void enter(Scope scope) {
        current.scope = scope;
    }

    /** Blocks a coroutine without work until there is some. */
    void idle(BooleanSupplier ready) {
        Fiber me = current;
        me.setIdle(true);
        block(ready);
        me.setIdle(false);
    }

    /** Makes every blocking call throw {@code reason} from now on. Only the first reason counts. */
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

    /**
     * Throws if the scope of the coroutine that has the turn is cancelled. Stops code that catches this in an endless
     * loop.
     */
    void checkScope() {
        if (current.scope.isCancelled() && ++cancels > MOST_CANCELS) {
            stop(CodeMismatch.doesNotLeave(session.run(), SourceLine.ofCaller()));
            checkStopped();
        }
        current.scope.check();
    }

    /**
     * Continues without a coroutine that catches every stopping exception. Its thread cannot be ended, so it waits
     * forever.
     */
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

    /** Adds a coroutine. It gets its first turn after the existing ones. */
    void add(String name, Runnable body) {
        Gate turn = threads.newGate();
        Fiber fiber = new Fiber(turn, root);
        threads.startCode(name, () -> {
            turn.pass();
            try {
                checkStopped();
                body.run();
            } catch (Evicted | CancelledException unwound) {
                // the code that evicts stops the others
            } catch (RuntimeException | Error problem) {
                stop(problem);
            } finally {
                fiber.end();
                driver.open();
            }
        });
        fibers.add(fiber); // after its thread has started: without a thread it would never return the turn
    }

    /** Blocks the coroutine that has the turn until {@code ready} holds. */
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

    /** Gives turns to all coroutines except the first, until none can continue. */
    void settle() {
        first.end();
        cursor = 0;
        while (takeTurns()) {
            checkStopped();
        }
    }

    /** Unwinds all coroutines except the first. */
    void unwind(Throwable reason) {
        stop(reason);
        for (Fiber fiber : fibers) {
            while (fiber.turn != null && !fiber.isDone()) {
                giveTurn(fiber, fiber.turn);
            }
        }
    }

    /** Gives turns to the others until the first coroutine can continue. */
    private void drive() {
        while (true) {
            checkStopped();
            while (cursor < fibers.size()) {
                Fiber fiber = fibers.get(cursor++);
                if (fiber.canContinue()) {
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
            if (fiber.canContinue()) {
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
