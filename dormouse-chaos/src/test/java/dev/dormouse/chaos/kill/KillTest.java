package dev.dormouse.chaos.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.chaos.cluster.StoreTables;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.chaos.workload.JournalEntry;
import dev.dormouse.chaos.workload.RunStep;
import dev.dormouse.inspect.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 in the middle of a thousand runs. */
@ExtendWith(LogOnFailure.class)
class KillTest {
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final String[] SETTINGS = {
        "lease=" + LEASE.toMillis(), "sweep=1000", "maxParkTime=1000", "parkGrace=1000"
    };

    @TempDir
    Path directory;

    @Test
    void afterKillAndRestartAllRunsFinishAndNoCommittedStepRunsAgain() {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            WorkerHandle first = cluster.worker(SETTINGS);
            startThousand(first);
            awaitProgress(cluster);
            awaitMixture(cluster);
            long killed = first.kill();
            Set<RunStep> committed = cluster.snapshot().completedSteps().keySet();

            cluster.worker(SETTINGS);
            cluster.awaitCompleted(1_000, Duration.ofSeconds(60));

            assertThat(committed).hasSizeGreaterThan(500);
            assertThat(cluster.begunAgain(committed, killed)).isEmpty();
            cluster.assertHistoriesAgreeWithJournal();
            Measurements.report(
                    "kill -9 of 1,000 runs on SQLite: %d steps were in flight and ran again", again(cluster));
        }
    }

    @Test
    void survivorTakesOverWithinLeasePlusOneSecond() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            WorkerHandle victim = cluster.worker(SETTINGS);
            String victimsNode = cluster.onlyNode();
            WorkerHandle survivor = cluster.worker(SETTINGS);
            startThousand(victim);
            awaitProgress(cluster);
            awaitMixture(cluster);
            long killed = victim.kill();
            Set<RunStep> committed = cluster.snapshot().completedSteps().keySet();
            long afterSnapshot = System.nanoTime();
            Set<UUID> orphans = heldBy(cluster, victimsNode);

            cluster.awaitCompleted(1_000, Duration.ofSeconds(60));

            assertThat(cluster.begunAgain(committed, afterSnapshot)).isEmpty();
            cluster.assertHistoriesAgreeWithJournal();
            long[] takeovers = takeoverNanos(cluster, survivor, orphans, killed);
            Measurements.report(
                    "takeover of %d runs of a killed node, lease %s: first %s, last %s",
                    takeovers.length,
                    LEASE,
                    Measurements.of(takeovers[0]),
                    Measurements.of(takeovers[takeovers.length - 1]));
            assertThat(takeovers).hasSameSizeAs(orphans);
            // An idle machine has entered all of them by then; a busy one may need longer for hundreds of replays
            assertThat(Duration.ofNanos(takeovers[0])).isLessThan(LEASE.plusSeconds(1));
            assertThat(Duration.ofNanos(takeovers[takeovers.length - 1])).isLessThan(LEASE.plusSeconds(10));
        }
    }

    /**
     * Starts runs: a third inside a long step, a third between many short ones, a third asleep, in memory or as rows.
     */
    private static void startThousand(WorkerHandle worker) {
        worker.order("many asleep- 167 a:1 sleep:3000 b:1");
        worker.order("many inside- 334 a:1 long:2500 b:1");
        worker.order("many brief- 166 a:1 sleep:900 b:1 sleep:900 c:1");
        worker.order("many between- 333 a:20 b:20 c:20 d:20 e:20 f:20 g:20 h:20 i:20 j:20 k:20 l:20 m:20 n:20 o:20");
    }

    /**
     * Waits for progress, because the progress of a thousand runs when their start has returned depends on the machine.
     */
    private static void awaitProgress(ChaosCluster cluster) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> cluster.snapshot().completedSteps().size() > 500);
    }

    /** Waits until the node holds runs of all kinds at once; on a busy machine few runs may be parked at a time. */
    private static void awaitMixture(ChaosCluster cluster) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> {
                    Map<RunStatus, Long> statuses = cluster.database().statuses();
                    assertThat(statuses).containsKeys(RunStatus.RUNNING, RunStatus.PARKED, RunStatus.WAITING);
                    assertThat(statuses.get(RunStatus.RUNNING)).isGreaterThan(100);
                });
    }

    private static long again(ChaosCluster cluster) {
        return cluster.journal().repeated().size();
    }

    /** Returns the runs that a node holds. */
    private static Set<UUID> heldBy(ChaosCluster cluster, String node) {
        return cluster.database().runs().stream()
                .filter(run -> run.status() == RunStatus.RUNNING || run.status() == RunStatus.PARKED)
                .filter(run -> run.owner().equals(node))
                .map(StoreTables.Row::runId)
                .collect(Collectors.toSet());
    }

    /** Returns, sorted, the time from the kill until the survivor first entered the code of each orphaned run. */
    private static long[] takeoverNanos(ChaosCluster cluster, WorkerHandle survivor, Set<UUID> orphans, long killed) {
        Map<UUID, List<JournalEntry>> entered = cluster
                .journal()
                .entries(entry -> entry.kind() == JournalEntry.Kind.ENTERED
                        && entry.pid() == survivor.pid()
                        && entry.nanos() - killed > 0
                        && orphans.contains(entry.runId()))
                .stream()
                .collect(Collectors.groupingBy(JournalEntry::runId));
        long[] nanos = entered.values().stream()
                .mapToLong(deeds -> deeds.get(0).nanos() - killed)
                .toArray();
        Arrays.sort(nanos);
        return nanos;
    }
}
