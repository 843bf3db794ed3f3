package dev.dormouse.chaos.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.chaos.workload.JournalEntry;
import dev.dormouse.inspect.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Signals between processes: each is applied exactly once and in order, or refused. A storm has 10,000 signals in every
 * build, and 50,000 with {@code -Plong}.
 */
@ExtendWith(LogOnFailure.class)
class MailTest {
    private static final String[] SETTINGS = {
        "code=tally", "lease=2000", "sweep=1000", "maxParkTime=50", "parkGrace=1000"
    };
    private static final int RUNS = 24;
    private static final int WAITS = 60;
    private static final int SENDERS = 8;
    private static final int FEW_EACH = 1_250;
    private static final int MANY_EACH = 6_250;

    @TempDir
    Path directory;

    @Test
    void signalsRacingSuspendTimeoutCloseAndTakeoverAreAppliedOnceInOrderOrRefused() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            WorkerHandle first = cluster.worker(SETTINGS);
            cluster.worker(SETTINGS);
            WorkerHandle client = cluster.worker("code=tallyElsewhere");
            client.send("pelt race- " + RUNS + " " + WAITS);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> cluster.database().runs().size() == RUNS
                            && cluster.database().mailCount() > 20 * RUNS);
            first.kill();
            cluster.worker(SETTINGS);
            String[] accepted = client.nextAnswer().split(" ", -1);

            cluster.awaitCompleted(RUNS, Duration.ofSeconds(60));
            int all = 0;
            for (int i = 0; i < RUNS; i++) {
                int count = Integer.parseInt(accepted[i]);
                all += count;
                // Signals accepted after the code had returned were handled too, but came too late for the result
                assertThat(client.ask("seen race-" + i)).as("run %s", i).isEqualTo(count + " 0");
                String sent =
                        IntStream.range(0, count).mapToObj(Integer::toString).collect(Collectors.joining(", "));
                String result = client.ask("result race-" + i);
                assertThat("[" + sent).as("run %s", i).startsWith(result.substring(0, result.length() - 1));
            }
            Measurements.report("%,d signals raced %d runs on two nodes, one of which was killed", all, RUNS);
            assertThat(all).isGreaterThan(20 * RUNS);
        }
    }

    @Test
    void waitForASignalTimesOutEvenIfItsProcessWasDeadAtTheDeadline() {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            WorkerHandle first = cluster.worker("maxParkTime=0");
            first.ask("start waits signal:2000");
            Awaitility.await().until(() -> cluster.database().statuses().equals(Map.of(RunStatus.WAITING, 1L)));
            first.kill();
            Awaitility.await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
            cluster.worker("maxParkTime=0");
            cluster.awaitCompleted(1, Duration.ofSeconds(10));
            assertThat(cluster.journal().entries(entry -> entry.kind() == JournalEntry.Kind.WOKE))
                    .extracting(JournalEntry::name)
                    .containsExactly("nothing");
        }
    }

    @Test
    void signalStormOnPostgresLosesNoneAndKeepsMemoryBounded() {
        stormOnPostgres(FEW_EACH);
    }

    @Test
    void signalStormOnSqliteLosesNoneAndKeepsMemoryBounded() {
        stormOnSqlite(FEW_EACH);
    }

    @Test
    @Tag("long")
    void greatSignalStormOnPostgresLosesNoneAndKeepsMemoryBounded() {
        stormOnPostgres(MANY_EACH);
    }

    @Test
    @Tag("long")
    void greatSignalStormOnSqliteLosesNoneAndKeepsMemoryBounded() {
        stormOnSqlite(MANY_EACH);
    }

    private void stormOnPostgres(int each) {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            WorkerHandle worker = cluster.launch(List.of("-Xmx128m"), SETTINGS).awaitReady();
            storm(cluster, cluster.worker("code=tallyElsewhere"), worker, each);
        }
    }

    private void stormOnSqlite(int each) {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            WorkerHandle worker = cluster.launch(List.of("-Xmx128m"), SETTINGS).awaitReady();
            storm(cluster, worker, worker, each);
        }
    }

    private static void storm(ChaosCluster cluster, WorkerHandle sender, WorkerHandle worker, int each) {
        long nanos = Long.parseLong(sender.ask("storm one " + SENDERS + " " + each));
        String result = sender.ask("result one");
        int all = SENDERS * each;
        Measurements.report(
                "%,d signals to one run from %d senders on %s: %,.0f a second, heap %,d bytes after it",
                all,
                SENDERS,
                cluster.isPostgres() ? "PostgreSQL" : "SQLite",
                all / (nanos / 1e9),
                Long.parseLong(worker.ask("memory").split(" ", -1)[0]));
        assertThat(result).isEqualTo("[" + all + ", 0]");
        assertThat(cluster.database().statuses()).isEqualTo(Map.of(RunStatus.COMPLETED, 1L));
    }
}
