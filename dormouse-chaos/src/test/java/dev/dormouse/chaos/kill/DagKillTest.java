package dev.dormouse.chaos.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.chaos.workload.JournalEntry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The process of a DAG dies while the DAG sleeps. */
@ExtendWith(LogOnFailure.class)
class DagKillTest {
    private static final Duration NAP = Duration.ofSeconds(6);
    private static final String[] SETTINGS = {"code=nap", "nap=" + NAP.toMillis(), "lease=2000", "sweep=500"};

    @TempDir
    Path directory;

    @Test
    void sleepContinuesInTheNextProcessOnSqlite() {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            begin(cluster).kill();
            cluster.worker(SETTINGS);
            assertOnTime(cluster, "SQLite, the next process");
        }
    }

    @Test
    void sleepContinuesInAnotherProcessOnPostgres() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            WorkerHandle victim = begin(cluster);
            cluster.worker(SETTINGS);
            victim.kill();
            assertOnTime(cluster, "PostgreSQL, another process");
        }
    }

    /** Returns a worker in which the first step is done and the sleep has begun. */
    private static WorkerHandle begin(ChaosCluster cluster) {
        WorkerHandle worker = cluster.worker(SETTINGS);
        worker.order("nap w");
        await().until(() -> !entries(cluster, "a").isEmpty());
        return worker;
    }

    private static List<JournalEntry> entries(ChaosCluster cluster, String step) {
        return cluster.journal().entries(entry -> entry.name().equals(step));
    }

    private static void assertOnTime(ChaosCluster cluster, String where) {
        await().atMost(Duration.ofMinutes(1)).until(() -> !entries(cluster, "b").isEmpty());
        JournalEntry last = entries(cluster, "a").get(entries(cluster, "a").size() - 1);
        Duration slept =
                Duration.between(last.at(), entries(cluster, "b").get(0).at());
        Measurements.report(
                "a DAG that slept for %s across kill -9 (%s): the next step began after %s", NAP, where, slept);
        assertThat(slept).isGreaterThanOrEqualTo(NAP);
        assertThat(entries(cluster, "b")).hasSize(1);
    }
}
