package dev.dormouse.chaos.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.BookingTables;
import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.MetricSeries;
import dev.dormouse.chaos.postgres.ChaosPostgres;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.chaos.process.WorkerUsage;
import dev.dormouse.inspect.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two nodes on PostgreSQL under a mixed load for any time: {@code mvn verify -Psoak -Dsoak.minutes=60}. From eight
 * minutes on it asserts that nothing grows: by then closed runs are purged as fast as new ones are started.
 */
@ExtendWith(LogOnFailure.class)
@Tag("soak")
class SoakTest {
    private static final Duration EVERY = Duration.ofSeconds(30);
    private static final Duration ENOUGH = Duration.ofMinutes(8);
    private static final String[] SETTINGS = {"code=steps", "retention=60000", "journal=/dev/null"};
    private static final List<String> TABLES = List.of("run", "history", "inbox", "outbox", "note");

    private final MetricSeries curve = new MetricSeries(Path.of("target", "soak.csv"));
    private long endedBefore;
    private long booked;

    @TempDir
    Path directory;

    @Test
    void nothingGrows() {
        Duration length = Duration.ofMinutes(Long.getLong("soak.minutes"));
        int perSecond = Integer.getInteger("soak.rate", 40);
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            BookingTables ledger = BookingTables.create(cluster);
            List<WorkerHandle> nodes = List.of(cluster.worker(SETTINGS), cluster.worker(SETTINGS));
            for (int i = 0; i < nodes.size(); i++) {
                nodes.get(i).order("load node" + i + "- " + perSecond / nodes.size());
            }
            long began = System.nanoTime();
            for (int i = 1; EVERY.multipliedBy(i).compareTo(length) <= 0; i++) {
                pass(EVERY.multipliedBy(i).minusNanos(System.nanoTime() - began));
                booked += ledger.clear();
                sample(cluster, nodes, Duration.ofNanos(System.nanoTime() - began));
            }
            assertEnd(cluster, ledger, nodes);
        }
        if (length.compareTo(ENOUGH) >= 0) {
            assertFlat();
        }
    }

    private void sample(ChaosCluster cluster, List<WorkerHandle> nodes, Duration at) {
        Map<String, Double> line = new LinkedHashMap<>();
        line.put("seconds", (double) at.toSeconds());
        long ended = 0;
        long open = 0;
        long wrong = 0;
        for (int i = 0; i < nodes.size(); i++) {
            WorkerUsage usage = WorkerUsage.of(nodes.get(i));
            line.put("heap KB " + i, usage.heap() / 1024.0);
            line.put("threads " + i, (double) usage.threads());
            String[] progress = nodes.get(i).ask("loaded").split(" ", 4);
            ended += Long.parseLong(progress[1]);
            open += Long.parseLong(progress[0]) - Long.parseLong(progress[1]);
            wrong += Long.parseLong(progress[2]);
        }
        line.put("runs per second", (ended - endedBefore) / (double) EVERY.toSeconds());
        endedBefore = ended;
        line.put("open", (double) open);
        line.put("errors", (double) wrong);
        line.put("connections", number("select count(*) from pg_stat_activity where usename = 'engine'"));
        for (String table : TABLES) {
            String name = cluster.schema() + "." + table;
            String counted = " from pg_stat_user_tables where relid = '" + name + "'::regclass";
            line.put(table + " KB", number("select pg_total_relation_size('" + name + "') / 1024"));
            line.put(table + " rows", number("select count(*) from " + name));
            line.put(table + " dead", number("select n_dead_tup" + counted));
            line.put(table + " vacuums", number("select autovacuum_count" + counted));
        }
        line.put("log lines", (double) ChaosCluster.lastLog().lines().count());
        curve.add(line);
    }

    /** Asserts that all runs end correctly, and that each booking was made once. */
    private void assertEnd(ChaosCluster cluster, BookingTables ledger, List<WorkerHandle> nodes) {
        nodes.forEach(node -> node.order("unload"));
        Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .untilAsserted(() ->
                        assertThat(cluster.database().statuses().keySet()).isSubsetOf(Set.of(RunStatus.COMPLETED)));
        for (WorkerHandle node : nodes) {
            String[] progress = node.ask("loaded").split(" ", 4);
            assertThat(progress[2]).as("wrong ends, such as %s", progress[3]).isEqualTo("0");
            assertThat(progress[1]).isEqualTo(progress[0]);
        }
        booked += ledger.clear();
        assertThat(ledger.balance()).isEqualTo(7 * booked);
        assertThat(number("select count(*) from " + cluster.schema() + ".outbox"))
                .isZero();
    }

    /**
     * Dead rows are not checked: purges and vacuums happen about once a minute each, and the number of dead rows
     * between them depends on their order.
     */
    private void assertFlat() {
        for (String node : List.of("0", "1")) {
            curve.assertFlat("heap KB " + node, 4 * 1024);
            curve.assertFlat("threads " + node, 10);
        }
        curve.assertFlat("connections", 4);
        TABLES.forEach(table -> curve.assertFlat(table + " KB", 2 * 1024));
        TABLES.forEach(table -> curve.assertFlat(table + " rows", 500));
    }

    private static double number(String sql) {
        return Double.parseDouble(ChaosPostgres.query(sql));
    }

    private static void pass(Duration time) {
        Duration left = time.isNegative() ? Duration.ZERO : time;
        Awaitility.await().pollDelay(left).atMost(left.plusSeconds(60)).until(() -> true);
    }
}
