package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.history.Event;
import dev.dormouse.store.RunStatus;
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

/** What a test plays in: a store of its own, a journal, and the workers that it has started, which end with it. */
final class Scene implements AutoCloseable {
    private static @Nullable Scene latest;

    private final Path directory;
    private final String storeUrl;
    private final String schema;
    private final Database database;
    private final Journal journal;
    private final List<Child> children = new ArrayList<>();

    private Scene(Path directory, String storeUrl, String schema, Database database) {
        this.directory = directory;
        this.storeUrl = storeUrl;
        this.schema = schema;
        this.database = database;
        this.journal = new Journal(directory.resolve("journal"));
        latest = this;
    }

    static Scene onSqlite(Path directory) {
        Path file = directory.resolve("dormouse.db");
        return new Scene(directory, "sqlite:" + file, "dormouse", sqlite(file));
    }

    private static Database sqlite(Path file) {
        return new Database("jdbc:sqlite:" + file, "dormouse_");
    }

    static Scene onPostgres(Path directory) {
        String schema = ChaosPostgres.newSchema();
        String url = ChaosPostgres.url(ChaosPostgres.ENGINE, ChaosPostgres.port());
        return new Scene(directory, url, schema, new Database(ChaosPostgres.adminUrl(), schema + "."));
    }

    boolean isPostgres() {
        return storeUrl.startsWith("jdbc:postgresql:");
    }

    Database database() {
        return database;
    }

    Journal journal() {
        return journal;
    }

    String schema() {
        return schema;
    }

    /** Creates the tables of the store, before any worker does. */
    void createTables() {
        builder().open().close();
    }

    /** Of the store, for the driver. */
    String url() {
        return isPostgres() ? storeUrl : database.url();
    }

    /** With the names of tables as they are in the store. */
    String sql(String text) {
        return text.replace("${prefix}", database.prefix());
    }

    /** For a node in this process. */
    DormouseBuilder builder() {
        return Dormouse.builder().store(storeUrl).schema(schema);
    }

    /** The id of the one node that there is. */
    String onlyNode() {
        List<String> nodes = database.select("select node_id from ${prefix}node", row -> row.getString(1));
        assertThat(nodes).hasSize(1);
        return nodes.get(0);
    }

    /** Starts a worker and waits until it is open. */
    Child worker(String... settings) {
        return launch(settings).awaitReady();
    }

    /** Starts a worker. */
    Child launch(String... settings) {
        return launch(List.of(), settings);
    }

    /** Starts a worker with arguments for its JVM. What it logs goes to a file, which a failed test prints. */
    Child launch(List<String> jvmArguments, String... settings) {
        List<String> all = new ArrayList<>(
                List.of("store=" + storeUrl, "schema=" + schema, "journal=" + directory.resolve("journal")));
        all.addAll(List.of(settings));
        Child child = Child.start(log(), jvmArguments, all);
        children.add(child);
        return child;
    }

    private Path log() {
        return directory.resolve("workers.log");
    }

    /** What the workers of the latest scene have logged. */
    static String lastLog() {
        try {
            return latest != null && Files.exists(latest.log()) ? Files.readString(latest.log()) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The store as it is now, beside the processes that use it. Of an SQLite file a copy is read: a first reader after
     * a crash would do the recovery that belongs to the next worker.
     */
    Database snapshot() {
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

    /** Waits until so many runs have completed, and none is left. */
    void awaitCompleted(long runs, Duration atMost) {
        Awaitility.await()
                .atMost(atMost)
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(() -> assertThat(database.statuses()).isEqualTo(Map.of(RunStatus.COMPLETED, runs)));
    }

    /** Waits until a worker stands at a point where it was told to. */
    void awaitHeld(Hold.Point point, String workflowId) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> !journal.deeds(deed -> deed.kind() == Deed.Kind.HELD
                                && deed.workflowId().equals(workflowId)
                                && deed.name().equals(point.name()))
                        .isEmpty());
    }

    /** Every run of the store has completed, each of its steps is recorded once, and every recorded step did run. */
    void assertHistoriesAgreeWithJournal() {
        assertThat(database.runs()).allMatch(run -> run.status() == RunStatus.COMPLETED);
        Map<StepOfRun, Long> recorded = database.completedSteps();
        assertThat(recorded)
                .allSatisfy((step, times) ->
                        assertThat(times).as("%s recorded", step).isEqualTo(1));
        assertThat(recorded.keySet()).isEqualTo(journal.executions().keySet());
        database.histories().forEach(Scene::assertEndsOnce);
    }

    private static void assertEndsOnce(UUID run, List<Event> events) {
        assertThat(events.stream().filter(Event::isClosing).count())
                .as("ends of run %s", run)
                .isEqualTo(1);
    }

    /** Steps that were recorded as completed when they began again, if these were recorded at that time. */
    List<Deed> begunAgain(Set<StepOfRun> recorded, long nanos) {
        Set<StepOfRun> steps = new HashSet<>(recorded);
        return journal.deeds(
                deed -> deed.kind() == Deed.Kind.BEGAN && deed.nanos() - nanos > 0 && steps.contains(deed.step()));
    }

    @Override
    public void close() {
        children.forEach(Child::close);
    }
}
