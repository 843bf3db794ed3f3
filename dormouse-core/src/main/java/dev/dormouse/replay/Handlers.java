package dev.dormouse.replay;

import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The coroutines that handle mail. Each item is handled by one that has nothing else to do: one that has handled an
 * item before, or a new one where all others wait for something within their handlers.
 */
final class Handlers {
    private final Fibers fibers;
    private final Consumer<Runnable> newFiber;
    private final ArrayDeque<Handler> idle = new ArrayDeque<>();
    private int open;

    /** @param newFiber adds a coroutine of the run's code */
    Handlers(Fibers fibers, Consumer<Runnable> newFiber) {
        this.fibers = fibers;
        this.newFiber = newFiber;
    }

    /** Has this done when the coroutines get their turn. */
    void handle(Runnable task) {
        open++;
        Handler free = idle.poll();
        if (free != null) {
            free.task = task;
            return;
        }
        Handler handler = new Handler();
        handler.task = task;
        newFiber.accept(handler);
    }

    /** Returns how many items are being handled: handed over, and their handler has not returned. */
    int open() {
        return open;
    }

    private final class Handler implements Runnable {
        private @Nullable Runnable task;

        @Override
        public void run() {
            while (true) {
                Runnable next = task;
                if (next != null) {
                    task = null;
                    next.run();
                    open--;
                    idle.add(this);
                }
                fibers.idle(() -> task != null);
            }
        }
    }
}
