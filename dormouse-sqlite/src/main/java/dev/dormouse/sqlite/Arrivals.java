package dev.dormouse.sqlite;

import dev.dormouse.store.Notice;
import dev.dormouse.store.RunRow;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the node of starts and alarms in users' transactions once they have been committed: nobody else would, as SQLite notifies
 * nobody.
 *
 * <p>Each such run is looked for again and again, at intervals that grow with the time it has been waited for: it is
 * found late by a fraction of its transaction's duration. That is all best effort. A run whose transaction takes very
 * long, or that is one too many, is found by the node's next sweep instead; one that was rolled back is given up. A
 * thread exists only while something is waited for.
 */
final class Arrivals implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Arrivals.class);
    private static final int MOST = 1_000;
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(1);

    private final Reads reads;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Semaphore room = new Semaphore(MOST);
    private final ScheduledThreadPoolExecutor executor;

    Arrivals(Reads reads) {
        this.reads = reads;
        this.executor = new ScheduledThreadPoolExecutor(1, Arrivals::newThread, new ThreadPoolExecutor.DiscardPolicy());
        executor.setKeepAliveTime(10, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
    }

    private static Thread newThread(Runnable body) {
        Thread thread = new Thread(body, "dormouse-sqlite-arrivals");
        thread.setDaemon(true);
        return thread;
    }

    AutoCloseable listen(Consumer<Notice> listener) {
        Listener own = new Listener(listener);
        listeners.add(own);
        return () -> listeners.remove(own);
    }

    /** A run was inserted in a transaction that is not ours. */
    void expect(int shard, UUID runId) {
        expect(new Expected(shard, runId, null, System.nanoTime()));
    }

    /** The alarm of a run was set in a transaction that is not ours. */
    void expect(int shard, UUID runId, Instant alarm) {
        expect(new Expected(shard, runId, alarm, System.nanoTime()));
    }

    private void expect(Expected expected) {
        if (!listeners.isEmpty() && room.tryAcquire()) {
            look(expected, SHORTEST_INTERVAL.toNanos());
        }
    }

    /** Compared by identity: who listens twice hears everything twice, until it closes one of the two. */
    private static final class Listener {
        private final Consumer<Notice> notices;

        Listener(Consumer<Notice> notices) {
            this.notices = notices;
        }
    }

    /** @param alarm that it must have, null for any */
    private record Expected(int shard, UUID runId, @Nullable Instant alarm, long since) {
        boolean is(RunRow run) {
            return alarm == null || alarm.equals(run.wakeAt());
        }
    }

    private void look(Expected expected, long inNanos) {
        Future<?> unused = executor.schedule(() -> look(expected), inNanos, TimeUnit.NANOSECONDS);
    }

    private void look(Expected expected) {
        Optional<RunRow> run = find(expected);
        long waited = System.nanoTime() - expected.since();
        if (run.isEmpty() && waited < LONGEST.toNanos()) {
            look(expected, Math.max(waited / 4, SHORTEST_INTERVAL.toNanos()));
            return;
        }
        room.release();
        run.ifPresent(this::tell);
    }

    private Optional<RunRow> find(Expected expected) {
        try {
            return reads.read(session -> Runs.byId(session, expected.shard(), expected.runId()))
                    .filter(expected::is);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("Could not look for run {}.", expected.runId(), e);
            return Optional.empty();
        }
    }

    private void tell(RunRow run) {
        if (run.wakeAt() == null) {
            return;
        }
        Notice notice = new Notice.AlarmSet(run.shard(), run.lane(), run.wakeAt());
        for (Listener listener : listeners) {
            Quietly.run(() -> listener.notices.accept(notice));
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
