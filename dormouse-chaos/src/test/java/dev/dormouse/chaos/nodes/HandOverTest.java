package dev.dormouse.chaos.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.chaos.cluster.StoreTables;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.chaos.workload.JournalEntry;
import dev.dormouse.inspect.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Runs that a node cannot or must not execute go to another node at once, not at its next sweep or after a lease. */
@ExtendWith(LogOnFailure.class)
class HandOverTest {
    private static final Duration AT_ONCE = Duration.ofSeconds(2);

    @TempDir
    Path directory;

    /** With the default lease of 15 s and the default sweep of 10 s, on a node that has a second to reach a pause. */
    @Test
    void closingNodeHandsItsRunsToTheOtherAtOnce() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            WorkerHandle leaving = cluster.worker("closeGrace=1000");
            WorkerHandle staying = cluster.worker();
            leaving.order("many asleep- 20 a:1 sleep:4000 b:1");
            leaving.order("many long- 20 a:1 long:4000 b:1");
            leaving.order("many short- 20 a:300 b:300 c:300 d:300 e:300 f:300 g:300 h:300 i:300 j:300");
            Set<UUID> busy = busy(cluster);
            leaving.closeGently();
            long closed = System.nanoTime();
            cluster.awaitCompleted(60, Duration.ofSeconds(40));

            cluster.assertHistoriesAgreeWithJournal();
            assertThat(busy).hasSize(40);
            Duration entered = Duration.ofNanos(lastEntered(cluster, staying, busy) - closed);
            Duration late = lateness(cluster, staying);
            Measurements.report(
                    "a node closed with 40 runs in hand: the other had all %s after; 20 asleep woke up to %s late",
                    Measurements.of(entered.toNanos()), Measurements.of(late.toNanos()));
            assertThat(entered).isLessThan(AT_ONCE);
            assertThat(late).isLessThan(AT_ONCE);
        }
    }

    @Test
    void startThatDoesNotFitGoesToTheOtherNodeAtOnce() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            WorkerHandle full = cluster.worker("maxExecuting=5");
            cluster.worker();
            full.order("many long- 5 a:1 long:4000 b:1");
            long asked = System.nanoTime();
            full.ask("start extra x:1");
            cluster.awaitCompleted(6, Duration.ofSeconds(40));

            JournalEntry begun =
                    cluster.journal().entries(entry -> entry.name().equals("x")).get(0);
            Measurements.report(
                    "a start on a full node began %s after on another", Measurements.of(begun.nanos() - asked));
            assertThat(begun.pid()).isNotEqualTo(full.pid());
            assertThat(Duration.ofNanos(begun.nanos() - asked)).isLessThan(AT_ONCE);
        }
    }

    /** Returns the runs whose code executes. */
    private static Set<UUID> busy(ChaosCluster cluster) {
        return cluster.database().runs().stream()
                .filter(run ->
                        run.status() == RunStatus.RUNNING && !run.workflowId().startsWith("asleep-"))
                .map(StoreTables.Row::runId)
                .collect(Collectors.toSet());
    }

    /** Returns the time at which a worker had entered the code of all these runs. */
    private static long lastEntered(ChaosCluster cluster, WorkerHandle worker, Set<UUID> runs) {
        Map<UUID, Long> entered = cluster
                .journal()
                .entries(entry -> entry.kind() == JournalEntry.Kind.ENTERED && entry.pid() == worker.pid())
                .stream()
                .collect(Collectors.toMap(JournalEntry::runId, JournalEntry::nanos, Math::min));
        return runs.stream()
                .mapToLong(run -> entered.getOrDefault(run, Long.MAX_VALUE))
                .max()
                .orElseThrow();
    }

    /** Returns the maximum lateness of a worker's wake-ups. */
    private static Duration lateness(ChaosCluster cluster, WorkerHandle worker) {
        return cluster
                .journal()
                .entries(entry -> entry.kind() == JournalEntry.Kind.WOKE && entry.pid() == worker.pid())
                .stream()
                .map(entry ->
                        Duration.between(cluster.database().timer(entry.runId()).deadline(), entry.at()))
                .max(Duration::compareTo)
                .orElseThrow();
    }
}
