package dev.dormouse.chaos.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.chaos.postgres.ChaosPostgres;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.chaos.workload.Breakpoint;
import dev.dormouse.chaos.workload.JournalEntry;
import dev.dormouse.chaos.workload.RunStep;
import dev.dormouse.chaos.workload.WorkerJournal;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.history.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a test: its own store, a journal, and the worker processes that it has started, which end with it.
 */
public final class ChaosCluster implements AutoCloseable {
    private static @Nullable ChaosCluster latest;

    private final Path directory;
    private final String storeUrl;
    private final String schema;
    private final StoreTables database;
    private final WorkerJournal journal;
    private final List<WorkerHandle> children = new ArrayList<>();

    private ChaosCluster(Path directory, String storeUrl, String schema, StoreTables database) {
        this.directory = directory;
        this.storeUrl = storeUrl;
        this.schema = schema;
        this.database = database;
        this.journal = new WorkerJournal(directory.resolve("journal"));
        latest = this;
    }

    public static ChaosCluster onSqlite(Path directory) {
        Path file = directory.resolve("dormouse.db");
        return new ChaosCluster(directory, "sqlite:" + file, "dormouse", sqlite(file));
    }

    private static StoreTables sqlite(Path file) {
        return new StoreTables("jdbc:sqlite:" + file, "dormouse_");
    }

    public static ChaosCluster onPostgres(Path directory) {
        String schema = ChaosPostgres.newSchema();
        String url = ChaosPostgres.url(ChaosPostgres.ENGINE, ChaosPostgres.port());
        return new ChaosCluster(directory, url, schema, new StoreTables(ChaosPostgres.adminUrl(), schema + "."));
    }

    public boolean isPostgres() {
        return storeUrl.startsWith("jdbc:postgresql:");
    }

    public StoreTables database() {
        return database;
    }

    public WorkerJournal journal() {
        return journal;
    }

    public String schema() {
        return schema;
    }

    /** Creates the tables of the store, before any worker does. */
    public void createTables() {
        builder().open().close();
    }

    /** Returns the store's JDBC URL. */
    public String url() {
        return isPostgres() ? storeUrl : database.url();
    }

    /** Replaces {@code ${prefix}} with the prefix of the store's table names. */
    public String sql(String text) {
        return text.replace("${prefix}", database.prefix());
    }

    /** Returns a builder for a node in this process. */
    public DormouseBuilder builder() {
        return Dormouse.builder().store(storeUrl).schema(schema);
    }

    /** Returns the id of the only node. */
    public String onlyNode() {
        List<String> nodes = database.select("select node_id from ${prefix}node", row -> row.getString(1));
        assertThat(nodes).hasSize(1);
        return nodes.get(0);
    }

    /** Starts a worker and waits until it is open. */
    public WorkerHandle worker(String... settings) {
        return launch(settings).awaitReady();
    }

    /** Starts a worker. */
    public WorkerHandle launch(String... settings) {
        return launch(List.of(), settings);
    }

    /** Starts a worker with arguments for its JVM. Its log goes to a file, which a failed test prints. */
    public WorkerHandle launch(List<String> jvmArguments, String... settings) {
        List<String> all = new ArrayList<>(
                List.of("store=" + storeUrl, "schema=" + schema, "journal=" + directory.resolve("journal")));
        all.addAll(List.of(settings));
        WorkerHandle child = WorkerHandle.start(log(), jvmArguments, all);
        children.add(child);
        return child;
    }

    private Path log() {
        return directory.resolve("workers.log");
    }

    /** Returns the log of the latest environment's workers. */
    public static String lastLog() {
        try {
            return latest != null && Files.exists(latest.log()) ? Files.readString(latest.log()) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the present store contents, read without disturbing the processes that use it. A SQLite file is copied
     * first: the first reader after a crash would do the recovery that belongs to the next worker.
     */
    public StoreTables snapshot() {
        if (isPostgres()) {
            return database;
        }
        try {
            Path copy = Files.createTempDirectory(directory, "copy").resolve("dormouse.db");
            for (String suffix : List.of("", "-wal")) {
                Path file = directory.resolve("dormouse.db" + suffix);
                if (Files.exists(file)) {
                    Files.copy(file, copy.resolveSibling("dormouse.db" + suffix));
                }
            }
            return sqlite(copy);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until {@code runs} runs have completed, and none is left. */
    public void awaitCompleted(long runs, Duration atMost) {
        Awaitility.await()
                .atMost(atMost)
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(() -> assertThat(database.statuses()).isEqualTo(Map.of(RunStatus.COMPLETED, runs)));
    }

    /** Waits until a worker has stopped at a breakpoint. */
    public void awaitHeld(Breakpoint.Point point, String workflowId) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> !journal.entries(entry -> entry.kind() == JournalEntry.Kind.HELD
                                && entry.workflowId().equals(workflowId)
                                && entry.name().equals(point.name()))
                        .isEmpty());
    }

    /**
     * Asserts that every run has completed, each of its steps is recorded once, and every recorded step was executed.
     */
    public void assertHistoriesAgreeWithJournal() {
        assertThat(database.runs()).allMatch(run -> run.status() == RunStatus.COMPLETED);
        Map<RunStep, Long> recorded = database.completedSteps();
        assertThat(recorded)
                .allSatisfy((step, times) ->
                        assertThat(times).as("%s recorded", step).isEqualTo(1));
        assertThat(recorded.keySet()).isEqualTo(journal.executions().keySet());
        database.histories().forEach(ChaosCluster::assertEndsOnce);
    }

    private static void assertEndsOnce(UUID run, List<Event> events) {
        assertThat(events.stream().filter(Event::isClosing).count())
                .as("ends of run %s", run)
                .isEqualTo(1);
    }

    /** Returns the steps that began after {@code nanos} although they were {@code recorded} as completed by then. */
    public List<JournalEntry> begunAgain(Set<RunStep> recorded, long nanos) {
        Set<RunStep> steps = new HashSet<>(recorded);
        return journal.entries(entry ->
                entry.kind() == JournalEntry.Kind.BEGAN && entry.nanos() - nanos > 0 && steps.contains(entry.step()));
    }

    @Override
    public void close() {
        children.forEach(WorkerHandle::close);
    }
}
