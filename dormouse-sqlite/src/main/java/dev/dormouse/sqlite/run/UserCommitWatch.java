package dev.dormouse.sqlite.run;

import dev.dormouse.sqlite.connect.ReadAccess;
import dev.dormouse.sqlite.sql.Quietly;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.run.RunRow;
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
 * A watch that notifies the node of runs and alarms that were written in users' transactions, once these are committed.
 * SQLite has no notifications that would do this.
 *
 * <p>Each such run is looked up repeatedly, at intervals that grow with the time since it was written: the delay is a
 * fraction of the transaction's duration. A thread exists only while at least one run is expected.
 *
 * <p>Concurrency: any thread may call {@link #expect} and {@link #listen}; lookups and notices run on one thread. All
 * of it is best effort. A run whose transaction takes longer than a minute, or that exceeds the limit of expected runs,
 * is found by the node's next sweep instead. A run that was rolled back is given up after a minute.
 */
public final class UserCommitWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UserCommitWatch.class);
    private static final int MOST = 1_000;
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(1);

    private final ReadAccess reads;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Semaphore room = new Semaphore(MOST);
    private final ScheduledThreadPoolExecutor executor;

    public UserCommitWatch(ReadAccess reads) {
        this.reads = reads;
        this.executor =
                new ScheduledThreadPoolExecutor(1, UserCommitWatch::newThread, new ThreadPoolExecutor.DiscardPolicy());
        executor.setKeepAliveTime(10, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
    }

    private static Thread newThread(Runnable body) {
        Thread thread = new Thread(body, "dormouse-sqlite-arrivals");
        thread.setDaemon(true);
        return thread;
    }

    public AutoCloseable listen(Consumer<Notice> listener) {
        Listener own = new Listener(listener);
        listeners.add(own);
        return () -> listeners.remove(own);
    }

    /** Expects a run that was inserted in a user's transaction. */
    public void expect(int shard, UUID runId) {
        expect(new Expected(shard, runId, null, System.nanoTime()));
    }

    /** Expects the given alarm of a run, which was set in a user's transaction. */
    public void expect(int shard, UUID runId, Instant alarm) {
        expect(new Expected(shard, runId, alarm, System.nanoTime()));
    }

    private void expect(Expected expected) {
        if (!listeners.isEmpty() && room.tryAcquire()) {
            look(expected, SHORTEST_INTERVAL.toNanos());
        }
    }

    /**
     * A registration. Compared by identity: a consumer that is registered twice receives each notice twice, until one
     * of the two registrations is closed.
     */
    private static final class Listener {
        private final Consumer<Notice> notices;

        Listener(Consumer<Notice> notices) {
            this.notices = notices;
        }
    }

    /**
     * A run to look for.
     *
     * @param alarm the alarm that the run must have; null for any
     * @param since when it was written, by {@link System#nanoTime}
     */
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
            return reads.read(session -> RunStatements.byId(session, expected.shard(), expected.runId()))
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
