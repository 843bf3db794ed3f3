package dev.dormouse.internal.replay;

import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The coroutines that handle messages. Each message is handled by an idle coroutine that has handled one before, or by a
 * new one if all others wait within their handlers. Belongs to the run's coroutines.
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

    /** Schedules a task for the next turn of the handler coroutines. */
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

    /** Returns the number of messages in progress: those whose handler was scheduled and has not returned. */
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
