package dev.dormouse.postgres;

import static dev.dormouse.postgres.Runs.many;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.awaitility.Awaitility.await;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.Store;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.HistoryAppend;
import dev.dormouse.store.run.Start;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The rows and the bytes of WAL that PostgreSQL writes for each operation; docs/performance.md quotes these numbers.
 *
 * <p><b>Rows</b> are the counters of {@code pg_stat_user_tables}. They are exact when all sessions of a node have ended.
 * The tables of nodes and of their statistics are left out, because their rows depend on time.
 *
 * <p><b>WAL</b> is the sum of {@code pg_stat_statements}. It excludes autovacuum, other sessions, and the commit record of
 * each batch (about 40 bytes). A page that changes for the first time after a checkpoint is written completely. So each
 * test makes a checkpoint before it creates its tables, and the next one follows minutes later. The rest varies with the
 * pages on which new versions of rows are placed, and with splits of index pages. So the bytes are compared with a
 * tolerance of 30 percent.
 */
@Timeout(120)
class RowCountTest {
    /** A role of its own, so that the test can wait until all sessions of its nodes have ended. */
    private static final String ROLE = "row_counted";

    private static final int OPERATIONS = 1_000;

    /** Less than {@code maxExecuting}, so that no run waits for a claim. */
    private static final int BATCH = 100;

    private static final Duration LONG = Duration.ofHours(1);

    private String schema;

    /** The counters of one table. */
    private record Rows(long inserted, long updated, long hot, long deleted) {
        static final Rows NONE = new Rows(0, 0, 0, 0);

        static Rows inserted(long rows) {
            return new Rows(rows, 0, 0, 0);
        }

        Rows updated(long rows) {
            return new Rows(inserted, rows, hot, deleted);
        }

        Rows hot(long rows) {
            return new Rows(inserted, updated, rows, deleted);
        }

        Rows times(int factor) {
            return new Rows(inserted * factor, updated * factor, hot * factor, deleted * factor);
        }

        Rows minus(Rows other) {
            return new Rows(
                    inserted - other.inserted, updated - other.updated, hot - other.hot, deleted - other.deleted);
        }
    }

    /** The rows and the WAL of {@link #OPERATIONS} operations. Tables without changes are left out. */
    private record Cost(Map<String, Rows> rows, long walBytes) {
        void assertRows(Map<String, Rows> each) {
            Map<String, Rows> expected = new TreeMap<>();
            each.forEach((table, rows) -> expected.put(table, rows.times(OPERATIONS)));
            assertThat(rows).isEqualTo(expected);
        }

        void assertWal(int bytesEach) {
            RowCountTest.assertWal(walBytes, bytesEach);
        }
    }

    private static void assertWal(long bytes, int bytesEach) {
        assertThat((double) bytes / OPERATIONS).isCloseTo(bytesEach, withinPercentage(30));
    }

    @BeforeAll
    static void createRole() {
        TestPostgres.execute(TestPostgres.admin(), """
                create extension if not exists pg_stat_statements;
                create role row_counted login password 'secret' in role engine;
                alter role row_counted set role = 'engine'
                """);
    }

    @BeforeEach
    void createTables() {
        TestPostgres.execute(TestPostgres.admin(), "checkpoint");
        schema = TestPostgres.newSchema();
        openStore().close();
    }

    private Store openStore() {
        PGSimpleDataSource dataSource = TestPostgres.engine();
        dataSource.setUser(ROLE);
        return TestPostgres.open(schema, dataSource);
    }

    private static String url() {
        return TestPostgres.url().replace("user=" + TestPostgres.ROLE, "user=" + ROLE);
    }

    /** Opens a node that renews no lease during the test. */
    private Dormouse open(Consumer<DormouseBuilder> customizer) {
        DormouseBuilder builder = Dormouse.builder()
                .store(url())
                .schema(schema)
                .leasePeriod(Duration.ofMinutes(10))
                .keepClosedRuns();
        customizer.accept(builder);
        return builder.open();
    }

    private Dormouse open(WorkflowFunction<Integer, String> workflow) {
        return open(builder -> builder.workflow("w", Integer.class, String.class, workflow));
    }

    /** Starts {@link #OPERATIONS} runs, a batch at a time. */
    private static void start(Dormouse node, Consumer<List<WorkflowHandle<String>>> afterBatch) {
        for (int from = 0; from < OPERATIONS; from += BATCH) {
            Map<String, Integer> inputs = new LinkedHashMap<>();
            for (int i = from; i < from + BATCH; i++) {
                inputs.put("wf-" + i, i);
            }
            afterBatch.accept(node.startAll("w", inputs, String.class));
        }
    }

    private static void awaitEnds(List<WorkflowHandle<String>> handles) {
        handles.forEach(handle -> assertThat(handle.result(LONG)).isEqualTo("done"));
    }

    private void awaitAll(RunStatus status) {
        String count = "select count(*) from " + schema + ".run where status = " + status.code();
        await().atMost(Duration.ofMinutes(1))
                .until(() -> TestPostgres.query(count).equals(Integer.toString(OPERATIONS)));
    }

    /** Calls from many threads, so that the calls share batches. */
    private static void callAll(IntConsumer call) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(BATCH / 2);
        try {
            callers.invokeAll(IntStream.range(0, OPERATIONS)
                            .mapToObj(i -> Executors.callable(() -> call.accept(i)))
                            .toList())
                    .forEach(future -> assertThat(future).succeedsWithin(Duration.ofMinutes(1)));
        } finally {
            callers.shutdown();
        }
    }

    private interface Operations {
        void run() throws Exception;
    }

    /** Returns the cost of operations, which open a node and close it. */
    private Cost cost(Operations operations) throws Exception {
        awaitCounters();
        Map<String, Rows> before = rows();
        TestPostgres.execute(TestPostgres.admin(), "select pg_stat_statements_reset()");
        operations.run();
        awaitCounters();
        Map<String, Rows> changes = new TreeMap<>();
        rows().forEach((table, rows) -> changes.put(table, rows.minus(before.getOrDefault(table, Rows.NONE))));
        changes.values().removeIf(Rows.NONE::equals);
        return new Cost(changes, walBytes());
    }

    /** Waits until all sessions have ended: each adds its numbers to the counters when it ends. */
    private static void awaitCounters() {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> TestPostgres.query("select count(*) from pg_stat_activity where usename = '" + ROLE + "'")
                        .equals("0"));
    }

    private Map<String, Rows> rows() throws SQLException {
        Map<String, Rows> rows = new TreeMap<>();
        try (Connection connection = TestPostgres.admin().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("""
                        select relname, n_tup_ins, n_tup_upd, n_tup_hot_upd, n_tup_del
                        from pg_stat_user_tables
                        where schemaname = '%s' and relname not in ('node', 'tally', 'meta', 'schema_version')
                        """.formatted(schema))) {
            while (row.next()) {
                rows.put(row.getString(1), new Rows(row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5)));
            }
        }
        return rows;
    }

    /** Returns the WAL of the statements whose rows are counted. */
    private long walBytes() {
        return Long.parseLong(TestPostgres.query("""
                select sum(wal_bytes) from pg_stat_statements
                where query ~ '\\y%1$s"?\\.'
                  and query !~ '\\y%1$s"?\\.(node|tally|meta|schema_version)\\y'
                """.formatted(schema)));
    }

    @Test
    void runOfOneStepInsertsOneRowAndUpdatesItOnce() throws Exception {
        Cost cost = cost(() -> {
            try (Dormouse node = open((ctx, input) -> ctx.step("a", String.class, () -> "done"))) {
                start(node, RowCountTest::awaitEnds);
            }
        });
        cost.assertRows(Map.of("run", Rows.inserted(1).updated(1)));
        cost.assertWal(1_170);
    }

    @Test
    void runOfTenStepsAlsoInsertsNineRowsOfHistory() throws Exception {
        Cost cost = cost(() -> {
            try (Dormouse node = open((ctx, input) -> {
                for (int i = 0; i < 10; i++) {
                    ctx.step("a", () -> {});
                }
                return "done";
            })) {
                start(node, RowCountTest::awaitEnds);
            }
        });
        cost.assertRows(Map.of("run", Rows.inserted(1).updated(1), "history", Rows.inserted(9)));
        cost.assertWal(3_530);
    }

    @Test
    void runThatSleepsAfterAStepInsertsOneRowAndUpdatesItOnce() throws Exception {
        Cost cost = cost(() -> {
            try (Dormouse node = open((ctx, input) -> {
                ctx.step("a", () -> {});
                ctx.sleep(LONG);
                return ctx.step("b", String.class, () -> "done");
            })) {
                start(node, handles -> {});
                awaitAll(RunStatus.WAITING);
            }
        });
        cost.assertRows(Map.of("run", Rows.inserted(1).updated(1)));
        cost.assertWal(1_210);
    }

    @Test
    void timerInsertsOneRowAndUpdatesItTwice() throws Exception {
        Cost cost = cost(() -> {
            try (Dormouse node = open(builder -> {})) {
                node.timers().handle("fire", Integer.class, payload -> {});
                Instant due = node.now().plusSeconds(3);
                callAll(i -> node.timers().at(due, "fire", i));
                awaitAll(RunStatus.COMPLETED);
            }
        });
        cost.assertRows(Map.of("run", Rows.inserted(1).updated(2)));
        cost.assertWal(2_260);
    }

    @Test
    void signalToAWaitingRunInsertsOneRowAndUpdatesTheRunThreeTimes() throws Exception {
        WorkflowFunction<Integer, String> workflow =
                (ctx, input) -> ctx.waitForSignal(LONG).isPresent() ? "done" : "late";
        try (Dormouse node = open(workflow)) {
            start(node, handles -> {});
            awaitAll(RunStatus.WAITING);
        }
        Cost cost = cost(() -> {
            try (Dormouse node = open(workflow)) {
                callAll(i -> node.handle("wf-" + i).signal("go", i));
                awaitAll(RunStatus.COMPLETED);
            }
        });
        cost.assertRows(Map.of("run", Rows.NONE.updated(3), "inbox", Rows.inserted(1)));
        cost.assertWal(1_970);
    }

    /** An update keeps its run in memory for a while. The next one does not move the alarm, and its answer is appended. */
    @Test
    void updateOfARunThatHasJustAnsweredOneUpdatesItsRowInPlace() throws Exception {
        try (Dormouse node = open(builder -> builder.workflow(Counter.class, CounterWorkflow::new))) {
            callAll(i -> node.start("Counter", "wf-" + i, Void.class));
            awaitAll(RunStatus.WAITING);
        }
        Cost one = cost(() -> updateAll(1));
        Cost three = cost(() -> updateAll(3));
        Rows run = three.rows().get("run").minus(one.rows().get("run"));
        assertThat(run).isEqualTo(Rows.NONE.updated(2 * OPERATIONS).hot(run.hot()));
        assertThat(run.hot()).as("unless the page is full").isGreaterThan(2 * OPERATIONS * 8 / 10);
        for (String table : List.of("inbox", "history")) {
            assertThat(three.rows().get(table).minus(one.rows().get(table)))
                    .as(table)
                    .isEqualTo(Rows.inserted(2 * OPERATIONS));
        }
        assertThat(three.rows()).containsOnlyKeys("run", "inbox", "history");
        assertWal((three.walBytes() - one.walBytes()) / 2, 910);
    }

    private void updateAll(int times) throws Exception {
        try (Dormouse node = open(builder -> builder.workflow(Counter.class, CounterWorkflow::new)
                .maxParkTime(LONG)
                .maxParked(4 * OPERATIONS))) {
            for (int round = 0; round < times; round++) {
                callAll(i -> node.handle("wf-" + i).update("add", Integer.class, 1));
            }
        }
    }

    @WorkflowInterface
    interface Counter {
        @WorkflowMethod
        void run();

        @UpdateMethod
        int add(int number);
    }

    static final class CounterWorkflow implements Counter {
        private int sum;

        @Override
        public void run() {
            Workflow.await(() -> sum < 0);
        }

        @Override
        public int add(int number) {
            sum += number;
            return sum;
        }
    }

    @Test
    void appendInsertsOneRow() throws Exception {
        List<Start> starts = many(OPERATIONS, i -> Runs.leased("wf-" + i, 7));
        try (Store store = openStore()) {
            store.start(0, starts);
        }
        Cost cost = cost(() -> {
            try (Store store = openStore()) {
                assertThat(store.append(
                                0, starts.stream().map(RowCountTest::step).toList()))
                        .hasOnlyElementsOfType(CommitOutcome.Committed.class);
            }
        });
        cost.assertRows(Map.of("history", Rows.inserted(1)));
        cost.assertWal(280);
    }

    private static HistoryAppend step(Start start) {
        return new HistoryAppend(start.runId(), 1, Fence.ANY_EPOCH, new Append(1, new byte[40], 1));
    }
}
