package dev.dormouse.chaos.outage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.chaos.postgres.ChaosPostgres;
import dev.dormouse.chaos.process.WorkerHandle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL becomes unavailable under two nodes and returns. No process dies, so no step may run twice. */
@ExtendWith(LogOnFailure.class)
class OutageTest {
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final String[] SETTINGS = {"lease=" + LEASE.toMillis(), "sweep=1000", "parkGrace=2000"};

    /**
     * Long leases: a node whose connections are killed for longer than its lease may rightly lose its runs to an idle
     * one.
     */
    private static final String[] PATIENT = {"lease=8000", "sweep=1000", "parkGrace=2000"};

    private static final int RUNS = 300;

    @TempDir
    Path directory;

    @Test
    void workContinuesAfterRestarts() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            startRuns(cluster, SETTINGS);
            for (int i = 0; i < 2; i++) {
                ChaosPostgres.stop();
                ChaosPostgres.start();
                pass(Duration.ofMillis(500));
            }
            assertAllRanOnce(cluster);
        }
    }

    @Test
    void workContinuesWhileConnectionsAreKilled() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            startRuns(cluster, PATIENT);
            int killed = 0;
            for (int i = 0; i < 20; i++) {
                killed += ChaosPostgres.killConnections();
                pass(Duration.ofMillis(200));
            }
            Measurements.report("%d connections killed under two nodes", killed);
            assertThat(killed).isGreaterThan(20);
            assertAllRanOnce(cluster);
        }
    }

    @Test
    void livingStepsAreLeftAloneAfterAnOutageOfMoreThanLease() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            startRuns(cluster, SETTINGS);
            ChaosPostgres.stop();
            pass(LEASE.multipliedBy(2));
            ChaosPostgres.start();
            assertAllRanOnce(cluster);
        }
    }

    /**
     * Starts runs on each of two nodes: with a step that outlasts the outage, with many short steps, and with sleeps.
     */
    private static void startRuns(ChaosCluster cluster, String[] settings) {
        List<WorkerHandle> nodes = List.of(cluster.launch(settings), cluster.launch(settings));
        nodes.forEach(WorkerHandle::awaitReady);
        for (int i = 0; i < nodes.size(); i++) {
            WorkerHandle node = nodes.get(i);
            node.order("many long-" + i + "- 50 a:1 long:8000 b:1");
            node.order("many short-" + i + "- 50 " + shortSteps(40));
            node.order("many sleeping-" + i + "- 50 a:1 sleep:500 b:1 sleep:500 c:1 sleep:500 d:1 sleep:6000 e:1");
        }
    }

    private static String shortSteps(int number) {
        StringBuilder script = new StringBuilder();
        for (int i = 0; i < number; i++) {
            script.append(i == 0 ? "" : " ").append('s').append(i).append(":50");
        }
        return script.toString();
    }

    private static void pass(Duration time) {
        Awaitility.await().pollDelay(time).atMost(time.plusSeconds(10)).until(() -> true);
    }

    private static void assertAllRanOnce(ChaosCluster cluster) {
        cluster.awaitCompleted(RUNS, Duration.ofSeconds(60));
        assertThat(cluster.journal().repeated()).isEmpty();
        cluster.assertHistoriesAgreeWithJournal();
    }
}
