package dev.dormouse.internal.engine.command;

import dev.dormouse.internal.thread.Loop;
import dev.dormouse.internal.thread.Nanos;
import dev.dormouse.internal.thread.Threads;
import java.time.Duration;
import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time limits of calls that no thread waits for. Its thread starts with the first of them, because most programs
 * have none.
 *
 * <p>Thread-safe. A task is executed once, on the thread of this loop and without a lock, unless it is cancelled before.
 * It must be quick. Tasks that are left at {@link #close} are not executed.
 */
public final class CallTimer extends Loop {
    private static final Logger LOG = LoggerFactory.getLogger(CallTimer.class);

    private final Threads threads;
    private final TreeSet<Entry> entries =
            new TreeSet<>(Comparator.<Entry>comparingLong(entry -> entry.due).thenComparingLong(entry -> entry.number));
    private long created;
    private boolean isStarted;

    /** A task and its time. */
    static final class Entry {
        private final long due;
        private final long number;
        private final Runnable task;

        private Entry(long due, long number, Runnable task) {
            this.due = due;
            this.number = number;
            this.task = task;
        }
    }

    public CallTimer(Threads threads) {
        super(threads);
        this.threads = threads;
    }

    /** Executes a task after {@code delay}. */
    Entry in(Duration delay, Runnable task) {
        long due = threads.nanoTime() + Nanos.of(delay);
        Entry entry;
        boolean isFirst;
        boolean starts;
        synchronized (this) {
            entry = new Entry(due, created++, task);
            entries.add(entry);
            isFirst = entries.first() == entry;
            starts = !isStarted && !isClosed();
            isStarted |= starts;
        }
        if (starts) {
            start("calls");
        } else if (isFirst) {
            wake();
        }
        return entry;
    }

    /** Cancels a task. Has no effect if it was executed. */
    synchronized void cancel(@Nullable Entry entry) {
        if (entry != null) {
            entries.remove(entry);
        }
    }

    @Override
    protected void turn() {
        Duration wait = untilNext();
        if (wait == null) {
            await();
        } else {
            await(wait);
        }
        for (Entry entry = pollDue(); entry != null; entry = pollDue()) {
            execute(entry.task);
        }
    }

    private static void execute(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | LinkageError | VirtualMachineError problem) {
            LOG.error("Ending a call after its time limit failed", problem);
        }
    }

    private synchronized @Nullable Duration untilNext() {
        return entries.isEmpty() ? null : Duration.ofNanos(Math.max(1, entries.first().due - threads.nanoTime()));
    }

    private synchronized @Nullable Entry pollDue() {
        return entries.isEmpty() || entries.first().due - threads.nanoTime() > 0 ? null : entries.pollFirst();
    }
}
