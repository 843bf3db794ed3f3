package dev.dormouse.sqlite;

import static dev.dormouse.sqlite.Errors.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.Store;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class BackupTest {
    @TempDir
    Path directory;

    private final AtomicBoolean enough = new AtomicBoolean();

    /** Commits one step of all runs at a time until told to stop. Returns the number of steps. */
    private int write(Store store, List<Start> runs, CountDownLatch begun) {
        int steps = 0;
        while (!enough.get()) {
            int step = steps;
            List<CommitOutcome> outcomes = store.commit(
                    0, runs.stream().map(run -> Sample.step(run, step)).toList());
            assertThat(outcomes).allMatch(CommitOutcome.Committed.class::isInstance);
            steps++;
            begun.countDown();
        }
        return steps;
    }

    @Test
    void copyThatWasMadeDuringWritesIsWholeAndOpensAsAStore() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (Store store = Stores.open(directory.resolve("trial.db"))) {
            List<Start> runs = Sample.leased("wf-", 50);
            store.start(0, runs);
            CountDownLatch begun = new CountDownLatch(3);
            Future<Integer> steps = executor.submit(() -> write(store, runs, begun));
            begun.await();
            for (int i = 0; i < 5; i++) {
                store.backup(directory.resolve("copy-" + i + ".db"));
            }
            enough.set(true);
            int last = steps.get() + 1;
            assertThat(Whole.runs(store)).allMatch(run -> run.nextSeq() == last);
        } finally {
            enough.set(true);
            executor.shutdown();
        }
        for (int i = 0; i < 5; i++) {
            checkCopy(directory.resolve("copy-" + i + ".db"));
        }
    }

    /** Each batch moved all runs by one step in one transaction: a snapshot shows them all at the same step. */
    private static void checkCopy(Path copy) {
        try (Store store = Stores.open(copy)) {
            List<RunRow> runs = Whole.runs(store);
            assertThat(runs).hasSize(50);
            assertThat(runs.stream().map(RunRow::nextSeq).distinct()).hasSize(1);
            assertThat(runs.get(0).nextSeq()).isGreaterThan(1);
            assertThat(store.claim(0, Sample.claim(100)).runs()).hasSize(50);
        }
    }

    @Test
    void backupHoldsUpNoWriter() throws Exception {
        Path file = directory.resolve("trial.db");
        try (Store store = Stores.open(file);
                Connection reader = Stores.connect(file)) {
            store.start(0, List.of(Sample.pending("a")));
            reader.setAutoCommit(false);
            reader.createStatement().executeQuery("select count(*) from dormouse_run");
            store.backup(directory.resolve("copy.db"));
            assertThat(store.start(0, List.of(Sample.pending("b")))).hasSize(1);
        }
    }

    @Test
    void existingFileIsNeverOverwritten() throws Exception {
        Path target = Files.writeString(directory.resolve("precious.txt"), "precious");
        Path empty = Files.createFile(directory.resolve("empty.db"));
        try (Store store = Stores.open(directory.resolve("trial.db"))) {
            assertError(ErrorCode.BAD_ARGUMENT, () -> store.backup(target)).contains(target.toString());
            assertError(ErrorCode.BAD_ARGUMENT, () -> store.backup(empty)).contains(empty.toString());
        }
        assertThat(target).hasContent("precious");
        assertThat(empty).isEmptyFile();
    }

    @Test
    void backupThatFailsLeavesNothing() throws Exception {
        Path nowhere = directory.resolve("nowhere/copy.db");
        try (Store store = Stores.open(directory.resolve("trial.db"))) {
            assertError(ErrorCode.STORE_UNAVAILABLE, () -> store.backup(nowhere));
            store.backup(directory.resolve("copy.db"));
        }
        assertThat(names()).containsExactlyInAnyOrder("trial.db", "copy.db");
    }

    @Test
    void storeInMemoryIsCopiedToo() {
        Path copy = directory.resolve("copy.db");
        Start start = Sample.leased("a");
        try (Store store = Stores.open("sqlite::memory:", 1)) {
            store.start(0, List.of(start));
            store.backup(copy);
        }
        try (Store store = Stores.open(copy)) {
            assertThat(Whole.runs(store)).extracting(RunRow::runId).containsExactly(start.runId());
        }
    }

    @Test
    void usersTablesAreInTheCopy() throws Exception {
        Path file = directory.resolve("trial.db");
        Path copy = directory.resolve("copy.db");
        try (Store store = Stores.open(file);
                Connection connection = Stores.connect(file)) {
            connection.createStatement().execute("create table mine as select 42 as answer");
            store.backup(copy);
        }
        try (Connection connection = Stores.connect(copy)) {
            assertThat(connection
                            .createStatement()
                            .executeQuery("select answer from mine")
                            .getInt(1))
                    .isEqualTo(42);
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(each -> each.getFileName().toString()).toList();
        }
    }
}
