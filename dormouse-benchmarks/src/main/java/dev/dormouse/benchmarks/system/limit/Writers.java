package dev.dormouse.benchmarks.system.limit;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** Threads that each take what has piled up, and write it as one statement of its kind. */
final class Writers implements AutoCloseable {
    static final int NUMBER = 2;
    static final String SCHEMA = "dormouse";
    private static final int BATCH = 1_000;

    private final LinkedBlockingQueue<Entry> pile = new LinkedBlockingQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<Statements> statements = new ArrayList<>();

    private Writers() {}

    static Writers open(String url) throws SQLException {
        Writers writers = new Writers();
        for (int i = 0; i < NUMBER; i++) {
            Statements its = Statements.open(url);
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

    private void write(Statements its) {
        List<Entry> batch = new ArrayList<>();
        try {
            while (true) {
                batch.add(pile.take());
                pile.drainTo(batch, BATCH - 1);
                write(its, batch);
                batch.clear();
            }
        } catch (InterruptedException closed) {
            // as it was told
        } catch (SQLException | RuntimeException e) {
            batch.forEach(entry -> entry.done.completeExceptionally(e));
        }
    }

    private static void write(Statements its, List<Entry> batch) throws SQLException {
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
        statements.forEach(Statements::close);
    }

    /** Something to write, and who waits for it. */
    private record Entry(
            LimitWorkflows.@Nullable Start start,
            LimitWorkflows.@Nullable Commit commit,
            CompletableFuture<@Nullable Void> done) {}
}
