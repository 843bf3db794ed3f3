package dev.dormouse.chaos.outage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.chaos.cluster.WriteAudit;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.chaos.workload.JournalEntry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A node that is stopped for longer than its leases last, without knowing it. */
@ExtendWith(LogOnFailure.class)
class FreezeTest {
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final String[] SETTINGS = {"lease=" + LEASE.toMillis(), "sweep=500", "parkGrace=1000"};

    @TempDir
    Path directory;

    @Test
    void nodeThatWasStoppedWritesNothingUnderItsOldLeasesAndStopsItsCopies() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            WriteAudit audit = WriteAudit.of(cluster);
            WorkerHandle frozen = cluster.worker(with(audit.as("frozen")));
            WorkerHandle other = cluster.worker(with(audit.as("other")));
            // Steps that end while the node is stopped, when it continues, and after that
            frozen.order("many short- 10 a:1 long:1000 b:1");
            frozen.order("many middle- 10 a:1 long:6500 b:1");
            frozen.order("many lasting- 10 a:1 long:9000 b:1");
            frozen.order("many parked- 10 a:1 sleep:1500 b:1");
            Set<UUID> runs = begunBy(cluster, frozen, "a", 40);

            long goesOn = System.nanoTime() + LEASE.multipliedBy(3).toNanos();
            frozen.freeze(LEASE.multipliedBy(3));
            cluster.awaitCompleted(40, Duration.ofSeconds(60));

            assertThat(begunBy(cluster, other, "b", 40)).isEqualTo(runs);
            assertThat(lateWrites(audit)).isEmpty();
            awaitUnwound(cluster, frozen, goesOn, runs);
            cluster.assertHistoriesAgreeWithJournal();
            Measurements.report(
                    "copies of a stopped node ended %s after it went on",
                    Measurements.of(lastUnwound(cluster, frozen) - goesOn));
        }
    }

    private static String[] with(String setting) {
        return new String[] {setting, SETTINGS[0], SETTINGS[1], SETTINGS[2]};
    }

    /** Waits until a worker has begun a step in {@code number} runs, and returns these runs. */
    private static Set<UUID> begunBy(ChaosCluster cluster, WorkerHandle worker, String step, int number) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(
                        () -> cluster
                                .journal()
                                .entries(entry -> entry.kind() == JournalEntry.Kind.BEGAN
                                        && entry.pid() == worker.pid()
                                        && entry.name().equals(step))
                                .stream()
                                .map(JournalEntry::runId)
                                .collect(Collectors.toSet()),
                        begun -> begun.size() == number);
    }

    /**
     * Returns the writes of the frozen node to a run after the other node's first write to it, which was the claim.
     */
    private static List<WriteAudit.Write> lateWrites(WriteAudit audit) {
        List<WriteAudit.Write> writes = audit.writes();
        Map<UUID, Long> taken = writes.stream()
                .filter(write -> write.role().equals("other"))
                .collect(Collectors.toMap(WriteAudit.Write::runId, WriteAudit.Write::place, Math::min));
        assertThat(taken).hasSize(40);
        return writes.stream()
                .filter(write -> write.role().equals("frozen") && write.place() > taken.get(write.runId()))
                .toList();
    }

    private static void awaitUnwound(ChaosCluster cluster, WorkerHandle frozen, long since, Set<UUID> runs) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(unwound(cluster, frozen))
                        .extracting(JournalEntry::runId)
                        .containsAll(runs));
        assertThat(unwound(cluster, frozen)).allMatch(entry -> entry.nanos() - since > 0);
    }

    private static List<JournalEntry> unwound(ChaosCluster cluster, WorkerHandle frozen) {
        return cluster.journal()
                .entries(entry -> entry.kind() == JournalEntry.Kind.UNWOUND && entry.pid() == frozen.pid());
    }

    private static long lastUnwound(ChaosCluster cluster, WorkerHandle frozen) {
        return unwound(cluster, frozen).stream()
                .mapToLong(JournalEntry::nanos)
                .max()
                .orElseThrow();
    }
}
