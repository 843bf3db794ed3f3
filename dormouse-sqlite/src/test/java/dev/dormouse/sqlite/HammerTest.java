package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.Store;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Threads that send batch after batch, while others read and a user writes to the same file. */
@Timeout(120)
class HammerTest {
    private static final int WRITERS = 2;
    private static final int ROUNDS = 10;
    private static final int BATCH = 50;
    private static final int STEPS = 3;

    @TempDir
    Path directory;

    private final AtomicBoolean isOver = new AtomicBoolean();

    @Test
    void everyBatchIsAppliedOnceAndWhole() throws Exception {
        Path file = directory.resolve("trial.db");
        ExecutorService executor = Executors.newCachedThreadPool();
        try (Store store = Stores.open(file)) {
            List<Future<Integer>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                String name = "writer-" + i + "-";
                writers.add(executor.submit((Callable<Integer>) () -> write(store, name)));
            }
            Future<Integer> reader = executor.submit((Callable<Integer>) () -> read(store));
            Future<Integer> user = executor.submit((Callable<Integer>) () -> writeAsAUser(file));
            for (Future<Integer> writer : writers) {
                assertThat(writer.get()).isEqualTo(ROUNDS * BATCH);
            }
            isOver.set(true);
            assertThat(reader.get()).isPositive();
            assertThat(user.get()).isEqualTo(rowsOfTheUser(file));
            assertThat(Whole.runs(store))
                    .hasSize(WRITERS * ROUNDS * BATCH)
                    .allMatch(run -> run.status() == RunStatus.COMPLETED)
                    .allMatch(run -> run.nextSeq() == 1 + STEPS + 1);
        } finally {
            isOver.set(true);
            executor.shutdown();
        }
    }

    private static int write(Store store, String name) {
        int done = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<Start> starts = Sample.leased(name + round + "-", BATCH);
            while (store.start(0, starts).get(0) instanceof StartOutcome.Locked) {
                Thread.onSpinWait();
            }
            for (int i = 0; i < STEPS; i++) {
                int step = i;
                commit(
                        store,
                        starts.stream().map(start -> Sample.step(start, step)).toList());
            }
            List<RunRow> rows = store.runs(0, starts.stream().map(Start::runId).toList());
            commit(store, rows.stream().map(Sample::close).toList());
            done += rows.size();
        }
        return done;
    }

    private static void commit(Store store, List<Commit> batch) {
        List<CommitOutcome> outcomes = store.commit(0, batch);
        while (outcomes.get(0) instanceof CommitOutcome.Locked) {
            outcomes = store.commit(0, batch);
        }
        assertThat(outcomes).hasSize(BATCH).allMatch(CommitOutcome.Committed.class::isInstance);
    }

    /** A reader always sees a run completely in one statement. */
    private int read(Store store) {
        int seen = 0;
        do {
            seen += store.list(0, RunFilter.ALL, Optional.empty(), 100).runs().size();
        } while (!isOver.get());
        return seen;
    }

    private int writeAsAUser(Path file) throws Exception {
        int written = 0;
        try (Connection connection = Stores.connect(file)) {
            connection.createStatement().execute("pragma busy_timeout = 30000");
            connection.createStatement().execute("create table mine (id integer primary key)");
            do {
                written += connection.createStatement().executeUpdate("insert into mine values (null)");
            } while (!isOver.get());
        }
        return written;
    }

    private static int rowsOfTheUser(Path file) throws SQLException {
        try (Connection connection = Stores.connect(file)) {
            return connection
                    .createStatement()
                    .executeQuery("select count(*) from mine")
                    .getInt(1);
        }
    }
}
