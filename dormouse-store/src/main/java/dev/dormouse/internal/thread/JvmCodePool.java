package dev.dormouse.internal.thread;

import java.time.Duration;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool of platform threads for code that may block for any time. It has as many threads as there are blocked tasks.
 *
 * <p>Waking a thread costs more than most tasks. So a worker that has finished a task takes the next one, and only one
 * worker at a time is being woken or started. When it arrives, it wakes or starts another one if there are more tasks.
 *
 * <p>Thread-safe: any thread may call {@link #execute}. Guaranteed: a task does not wait for another task to end,
 * however long that one blocks. The exception is a system without free threads: then accepted tasks wait until a worker
 * is free or the next task arrives. A worker that becomes idle registers itself and then checks for tasks again, so no
 * task is overlooked.
 */
final class JvmCodePool implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(JvmCodePool.class);

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Deque<Worker> idle = new ConcurrentLinkedDeque<>();
    private final AtomicBoolean isHelpComing = new AtomicBoolean();
    private final long idleNanos;
    private final @Nullable ClassLoader loader;
    private volatile boolean closed;

    /**
     * @param idleTime the time after which an idle thread ends
     * @param loader the context class loader of its threads
     */
    JvmCodePool(Duration idleTime, @Nullable ClassLoader loader) {
        this.loader = loader;
        this.idleNanos = idleTime.toNanos();
    }

    @Override
    public void execute(Runnable task) {
        if (closed) {
            throw new RejectedExecutionException("Expected an open pool, but it is closed.");
        }
        tasks.add(task);
        try {
            callForHelp();
        } catch (RuntimeException | Error noThread) {
            if (tasks.remove(task)) { // otherwise a worker has taken it
                throw noThread;
            }
        }
    }

    /** Closes the pool: it accepts no more tasks, and its threads end when all accepted tasks are done. */
    void close() {
        closed = true;
        idle.forEach(LockSupport::unpark);
    }

    private void callForHelp() {
        if (tasks.isEmpty() || !isHelpComing.compareAndSet(false, true)) {
            return;
        }
        boolean comes = false;
        try {
            Worker next = idle.pollFirst();
            if (next == null) {
                new Worker().start();
            } else {
                next.call();
            }
            comes = true;
        } finally {
            if (!comes) {
                isHelpComing.set(false);
            }
        }
    }

    private final class Worker extends Thread {
        private volatile boolean called = true;

        Worker() {
            super(null, null, "dormouse-code", 0, false); // inherits nothing of the calling thread
            setContextClassLoader(loader);
            setDaemon(true);
        }

        void call() {
            called = true;
            LockSupport.unpark(this);
        }

        @Override
        public void run() {
            do {
                called = false;
                isHelpComing.set(false);
                work();
            } while (waitForCall());
        }

        private void work() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                try {
                    tryToCallForHelp();
                } finally {
                    run(task);
                }
            }
        }

        private void tryToCallForHelp() {
            try {
                callForHelp();
            } catch (OutOfMemoryError noThread) {
                LOG.warn("No thread can be created; tasks wait for the existing threads", noThread);
            }
        }

        private void run(Runnable task) {
            try {
                task.run();
            } catch (Throwable problem) {
                getUncaughtExceptionHandler().uncaughtException(this, problem);
            } finally {
                Thread.interrupted(); // an interrupt was meant for the task
            }
        }

        /** Waits for a call. Returns false if none came in time or the pool was closed, so that this thread ends. */
        private boolean waitForCall() {
            idle.addFirst(this);
            if (!tasks.isEmpty() && idle.remove(this)) { // arrived before this worker was registered
                return true;
            }
            long end = System.nanoTime() + idleNanos;
            while (!called) {
                long left = end - System.nanoTime();
                if ((left <= 0 || closed) && idle.remove(this)) {
                    return false;
                }
                if (left > 0) {
                    LockSupport.parkNanos(this, left);
                } else {
                    LockSupport.park(this); // another thread has removed this worker and is about to call it
                }
                Thread.interrupted();
            }
            return true;
        }
    }
}
