package dev.dormouse.sqlite;

import static dev.dormouse.sqlite.Errors.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.Store;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A user's own transactions on the same file: starts within them, and the write lock that they hold. */
@Timeout(60)
class UserTransactionTest {
    /** Generous: the wait itself is a quarter of a second. */
    private static final Duration NOT_LONG = Duration.ofSeconds(5);

    @TempDir
    Path directory;

    private Path file;
    private Store store;
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        file = directory.resolve("trial.db");
        store = Stores.open(file);
        connection = Stores.connect(file);
        connection.createStatement().execute("create table mine (id integer primary key)");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        store.close();
    }

    private void holdTheWriteLock() throws SQLException {
        connection.setAutoCommit(false);
        connection.createStatement().execute("insert into mine values (null)");
    }

    @Test
    void batchesComeBackAsLockedAndGoThroughLater() throws Exception {
        Start first = Sample.leased("first");
        store.start(0, List.of(first));
        List<Start> starts = Sample.leased("wf-", 10);
        holdTheWriteLock();
        long begin = System.nanoTime();
        assertThat(store.start(0, starts)).hasSize(10).containsOnly(new StartOutcome.Locked());
        assertThat(store.commit(0, List.of(Sample.step(first, 0)))).containsExactly(new CommitOutcome.Locked());
        assertThat(store.deliver(0, List.of(Sample.signal("first", "k")), Sample.LEASE))
                .containsExactly(new DeliverOutcome.Locked());
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(NOT_LONG);
        connection.commit();
        assertThat(store.start(0, starts)).hasSize(10).allMatch(StartOutcome.Started.class::isInstance);
        assertThat(store.commit(0, List.of(Sample.step(first, 0)))).allMatch(CommitOutcome.Committed.class::isInstance);
        assertThat(store.deliver(0, List.of(Sample.signal("first", "k")), Sample.LEASE))
                .allMatch(DeliverOutcome.Accepted.class::isInstance);
        assertThat(Whole.runs(store)).hasSize(11);
    }

    @Test
    void anyNumberOfThreadsIsHeldUpForAMomentOnly() throws Exception {
        holdTheWriteLock();
        ExecutorService executor = Executors.newFixedThreadPool(100);
        try {
            long begin = System.nanoTime();
            List<Future<List<StartOutcome>>> answers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                Start start = Sample.leased("wf-" + i);
                answers.add(executor.submit(() -> store.start(0, List.of(start))));
            }
            for (Future<List<StartOutcome>> answer : answers) {
                assertThat(answer.get()).containsExactly(new StartOutcome.Locked());
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(NOT_LONG);
        } finally {
            executor.shutdown();
        }
    }

    @Test
    void readsContinueAndBlockedWritesNameTheCause() throws Exception {
        store.start(0, List.of(Sample.leased("a")));
        holdTheWriteLock();
        assertThat(store.current(0, "a")).isPresent();
        assertThat(Whole.runs(store)).hasSize(1);
        assertError(ErrorCode.STORE_UNAVAILABLE, () -> store.claim(0, Sample.claim(1)))
                .contains(file.toRealPath().toString(), "write lock");
    }

    @Test
    void startTakesEffectWithTheUsersCommit() throws Exception {
        Start start = Sample.pending("a");
        connection.setAutoCommit(false);
        connection.createStatement().execute("insert into mine values (1)");
        assertThat(store.startWithin(connection, 0, start)).isInstanceOf(StartOutcome.Started.class);
        assertThat(store.current(0, "a")).isEmpty();
        connection.commit();
        assertThat(Whole.runs(store)).extracting(RunRow::runId).containsExactly(start.runId());
        assertThat(store.claim(0, Sample.claim(10)).runs()).hasSize(1);
    }

    @Test
    void startIsGoneWithTheUsersRollback() throws Exception {
        connection.setAutoCommit(false);
        store.startWithin(connection, 0, Sample.pending("a"));
        connection.rollback();
        connection.setAutoCommit(true);
        assertThat(Whole.runs(store)).isEmpty();
        assertThat(store.start(0, List.of(Sample.pending("a")))).allMatch(StartOutcome.Started.class::isInstance);
    }

    @Test
    void startOfATakenIdReturnsTheRunAndLeavesTheTransactionUsable() throws Exception {
        Start first = Sample.leased("a");
        store.start(0, List.of(first));
        connection.setAutoCommit(false);
        StartOutcome outcome = store.startWithin(connection, 0, Sample.pending("a"));
        assertThat(((StartOutcome.Exists) outcome).run().runId()).isEqualTo(first.runId());
        assertThat(store.startWithin(connection, 0, Sample.pending("b"))).isInstanceOf(StartOutcome.Started.class);
        connection.createStatement().execute("insert into mine values (1)");
        connection.commit();
        assertThat(Whole.runs(store)).hasSize(2);
    }

    @Test
    void startWithinATransactionReplacesNoRun() throws Exception {
        Start first = Sample.leased("a");
        store.start(0, List.of(first));
        store.commit(0, List.of(Sample.close(store.run(0, first.runId()).orElseThrow())));
        Start second = Sample.replacing(Sample.pending("a"), RunStatus.COMPLETED);
        StartOutcome outcome = store.startWithin(connection, 0, second);
        assertThat(((StartOutcome.Exists) outcome).run().runId()).isEqualTo(first.runId());
        assertThat(store.start(0, List.of(second))).allMatch(StartOutcome.Started.class::isInstance);
    }

    @Test
    void startOutsideOfATransactionIsOneByItself() {
        assertThat(store.startWithin(connection, 0, Sample.pending("a"))).isInstanceOf(StartOutcome.Started.class);
        assertThat(Whole.runs(store)).hasSize(1);
        assertThat(store.start(0, List.of(Sample.pending("b")))).allMatch(StartOutcome.Started.class::isInstance);
    }

    @Test
    void startThatTheStoreCannotHoldLeavesNothing() throws Exception {
        connection.setAutoCommit(false);
        assertError(ErrorCode.BAD_ARGUMENT, () -> store.startWithin(connection, 0, Sample.pending("half \uD83D")));
        store.startWithin(connection, 0, Sample.pending("b"));
        connection.commit();
        assertThat(Whole.runs(store)).hasSize(1);
    }

    /** A transaction that reads first and then writes fails after any commit in between. */
    @Test
    void startsGoThroughWhileTheEngineWrites() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            AtomicBoolean isOver = new AtomicBoolean();
            Future<?> engine = executor.submit(() -> {
                for (int i = 0; !isOver.get(); i++) {
                    store.start(0, List.of(Sample.leased("engine-" + i)));
                }
            });
            connection.createStatement().execute("pragma busy_timeout = 30000"); // SQLite does not queue its writers
            connection.setAutoCommit(false);
            for (int i = 0; i < 100; i++) {
                assertThat(store.startWithin(connection, 0, Sample.pending("mine-" + i)))
                        .isInstanceOf(StartOutcome.Started.class);
                connection.commit();
            }
            isOver.set(true);
            engine.get();
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void startDuringAnotherWriteReturnsLocked() throws Exception {
        holdTheWriteLock();
        try (Connection other = Stores.connect(file)) {
            other.createStatement().execute("pragma busy_timeout = 10");
            other.setAutoCommit(false);
            assertThat(store.startWithin(other, 0, Sample.pending("a"))).isEqualTo(new StartOutcome.Locked());
        }
    }

    @Test
    void connectionToAnotherDatabaseIsRefused() throws Exception {
        Path another = directory.resolve("another.db");
        Stores.open(another).close();
        try (Connection wrong = Stores.connect(another);
                Connection memory = Stores.connect(Path.of(":memory:"))) {
            assertError(ErrorCode.BAD_ARGUMENT, () -> store.startWithin(wrong, 0, Sample.pending("a")))
                    .contains(file.toRealPath().toString(), another.toString());
            assertError(ErrorCode.BAD_ARGUMENT, () -> store.startWithin(memory, 0, Sample.pending("a")))
                    .contains(":memory:");
        }
    }

    @Test
    void storeInMemoryHasNoConnectionsButItsOwn() {
        try (Store memory = Stores.open("sqlite::memory:", 1)) {
            assertError(ErrorCode.NOT_SUPPORTED_BY_STORE, () -> memory.startWithin(connection, 0, Sample.pending("a")));
        }
    }
}
