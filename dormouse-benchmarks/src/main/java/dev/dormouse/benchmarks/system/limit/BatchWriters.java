package dev.dormouse.benchmarks.system.limit;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Writer threads that share one queue. Each drains the queued entries and writes those of the same kind as one
 * statement. Thread-safe: the future of an entry completes after its statement.
 */
final class BatchWriters implements AutoCloseable {
    static final int NUMBER = 2;
    static final String SCHEMA = "dormouse";
    private static final int BATCH = 1_000;

    private final LinkedBlockingQueue<Entry> pile = new LinkedBlockingQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<WriterStatements> statements = new ArrayList<>();

    private BatchWriters() {}

    static BatchWriters open(String url) throws SQLException {
        BatchWriters writers = new BatchWriters();
        for (int i = 0; i < NUMBER; i++) {
            WriterStatements its = WriterStatements.open(url);
            writers.statements.add(its);
            Thread thread = new Thread(() -> writers.write(its), "limit-writer-" + i);
            thread.setDaemon(true);
            thread.start();
            writers.threads.add(thread);
        }
        return writers;
    }

    CompletableFuture<@Nullable Void> start(LimitWorkflows.Start start) {
        return add(new Entry(start, null, new CompletableFuture<>()));
    }

    CompletableFuture<@Nullable Void> commit(LimitWorkflows.Commit commit) {
        return add(new Entry(null, commit, new CompletableFuture<>()));
    }

    private CompletableFuture<@Nullable Void> add(Entry entry) {
        pile.add(entry);
        return entry.done;
    }

    private void write(WriterStatements its) {
        List<Entry> batch = new ArrayList<>();
        try {
            while (true) {
                batch.add(pile.take());
                pile.drainTo(batch, BATCH - 1);
                write(its, batch);
                batch.clear();
            }
        } catch (InterruptedException closed) {
            // stopped by close
        } catch (SQLException | RuntimeException e) {
            batch.forEach(entry -> entry.done.completeExceptionally(e));
        }
    }

    private static void write(WriterStatements its, List<Entry> batch) throws SQLException {
        List<LimitWorkflows.Start> starts = new ArrayList<>();
        List<LimitWorkflows.Commit> commits = new ArrayList<>();
        for (Entry entry : batch) {
            if (entry.start != null) {
                starts.add(entry.start);
            } else if (entry.commit != null) {
                commits.add(entry.commit);
            }
        }
        its.start(starts);
        its.commit(commits);
        batch.forEach(entry -> entry.done.complete(null));
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        statements.forEach(WriterStatements::close);
    }

    /** An entry to write, and the future of its caller. */
    private record Entry(
            LimitWorkflows.@Nullable Start start,
            LimitWorkflows.@Nullable Commit commit,
            CompletableFuture<@Nullable Void> done) {}
}
