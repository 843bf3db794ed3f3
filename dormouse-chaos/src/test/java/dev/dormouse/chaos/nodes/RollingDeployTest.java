package dev.dormouse.chaos.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.chaos.cluster.StoreTables;
import dev.dormouse.chaos.cluster.WriteAudit;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.chaos.workload.JournalEntry;
import dev.dormouse.chaos.workload.TwoBuildsWorkflow;
import dev.dormouse.inspect.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Two builds of a workflow on two nodes: each run goes to the node that has its code. */
@ExtendWith(LogOnFailure.class)
class RollingDeployTest {
    private static final List<String> OLD = List.of("code=" + TwoBuildsWorkflow.OLD, "build=1");
    private static final List<String> NEW = List.of("code=" + TwoBuildsWorkflow.NEW, "build=2");

    @TempDir
    Path directory;

    @Test
    void runsGoToTheNodeWhoseCodeFitsAndNoneIsCalledStuckWhileItLives() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            WriteAudit audit = WriteAudit.of(cluster);
            WorkerHandle old = cluster.worker(with(OLD, audit.as("old")));
            WorkerHandle young = cluster.worker(with(NEW, audit.as("young")));
            old.order("order old- 50 1500");
            young.order("order new- 50 1500");
            cluster.awaitCompleted(100, Duration.ofSeconds(40));

            assertThat(audit.writes()).noneMatch(write -> write.after() == RunStatus.STUCK);
            assertThat(finishedBy(cluster, old)).hasSize(50).allMatch(id -> id.startsWith("old-"));
            assertThat(finishedBy(cluster, young)).hasSize(50).allMatch(id -> id.startsWith("new-"));
            assertThat(cluster.journal().repeated()).isEmpty();
            long refusals = audit.writes().stream()
                    .filter(write -> write.before() == RunStatus.RUNNING && write.after() == RunStatus.PENDING)
                    .count();
            Measurements.report("two builds on two nodes: %d of 100 runs were handed over", refusals);
            assertThat(refusals).isPositive();
        }
    }

    @Test
    void runThatNoLiveCodeFitsIsStuckUntilSuchCodeReturns() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            WorkerHandle old = cluster.worker(with(OLD));
            WorkerHandle young = cluster.worker(with(NEW));
            old.order("order old- 20 2500");
            young.order("order new- 20 2500");
            old.kill();
            awaitStatuses(cluster, Map.of(RunStatus.STUCK, 20L, RunStatus.COMPLETED, 20L));
            StoreTables.Row stuck = cluster.database().run("old-0");
            assertThat(stuck.trouble()).startsWith("[DM").contains("reserve", "charge", "TwoBuildsWorkflow.java");

            long deployed = System.nanoTime();
            WorkerHandle again = cluster.worker(with(OLD));
            awaitStatuses(cluster, Map.of(RunStatus.COMPLETED, 40L));
            Measurements.report(
                    "stuck runs were healed %s after the right code began to boot",
                    Measurements.of(cluster.journal()
                                    .entries(entry -> entry.pid() == again.pid())
                                    .get(0)
                                    .nanos()
                            - deployed));
            assertThat(cluster.journal().repeated()).isEmpty();
        }
    }

    private static String[] with(List<String> build, String... more) {
        List<String> all = new ArrayList<>(List.of("lease=2000", "sweep=500", "maxParkTime=0"));
        all.addAll(build);
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    /** Returns the workflow ids whose last step a worker executed. */
    private static List<String> finishedBy(ChaosCluster cluster, WorkerHandle worker) {
        return cluster
                .journal()
                .entries(entry -> entry.pid() == worker.pid() && entry.name().equals("ship"))
                .stream()
                .map(JournalEntry::workflowId)
                .toList();
    }

    private static void awaitStatuses(ChaosCluster cluster, Map<RunStatus, Long> expected) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(40))
                .untilAsserted(() -> assertThat(cluster.database().statuses()).isEqualTo(expected));
    }
}
