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
 * Platform threads for code that may block for as long as it likes. There are as many of them as such code.
 *
 * <p>Waking a thread costs more than most tasks do. So whoever is done with one goes on with the next, and one thread at a
 * time is on its way to help: when it has come, it calls for another if there is still more to do. However long somebody
 * stays in a task, nothing waits for that one; unless the system has no thread to give: then what was taken in waits until
 * somebody is done, or until more comes in.
 */
final class JvmCodePool implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(JvmCodePool.class);

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Deque<Worker> idle = new ConcurrentLinkedDeque<>();
    private final AtomicBoolean isSomebodyComing = new AtomicBoolean();
    private final long idleNanos;
    private final @Nullable ClassLoader loader;
    private volatile boolean closed;

    /**
     * @param idleTime after which a thread ends that has nothing to do
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
            if (tasks.remove(task)) { // otherwise somebody had time for it
                throw noThread;
            }
        }
    }

    /** No more is taken in; what is there is done, and then the threads end. */
    void close() {
        closed = true;
        idle.forEach(LockSupport::unpark);
    }

    private void callForHelp() {
        if (tasks.isEmpty() || !isSomebodyComing.compareAndSet(false, true)) {
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
                isSomebodyComing.set(false);
            }
        }
    }

    private final class Worker extends Thread {
        private volatile boolean called = true;

        Worker() {
            super(null, null, "dormouse-code", 0, false); // nothing of whoever happens to call is inherited
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
                isSomebodyComing.set(false);
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
                LOG.warn("No thread to help; what is to be done waits for those that are there", noThread);
            }
        }

        private void run(Runnable task) {
            try {
                task.run();
            } catch (Throwable problem) {
                getUncaughtExceptionHandler().uncaughtException(this, problem);
            } finally {
                Thread.interrupted(); // was meant for the task
            }
        }

        /** False when nobody has called for a while, so that this thread is not needed. */
        private boolean waitForCall() {
            idle.addFirst(this);
            if (!tasks.isEmpty() && idle.remove(this)) { // came in before anybody saw this one
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
                    LockSupport.park(this); // somebody is about to call
                }
                Thread.interrupted();
            }
            return true;
        }
    }
}
