package dev.dormouse.chaos.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.chaos.cluster.StoreTables;
import dev.dormouse.chaos.process.WorkerHandle;
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

/** A run whose step ends its process in every attempt. */
@ExtendWith(LogOnFailure.class)
class PoisonTest {
    private static final int MAX_TAKEOVERS = 2;
    private static final long OTHERS = 48;

    @TempDir
    Path directory;

    @Test
    void poisonRunOnSqliteIsParkedAndTheOthersFinish() {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            play(cluster, 1, Duration.ofSeconds(6));
        }
    }

    @Test
    void poisonRunOnPostgresIsParkedAndTheOthersFinish() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            play(cluster, 2, Duration.ofSeconds(2));
        }
    }

    /**
     * Keeps {@code workers} workers alive until nothing happens any more. A probation lasts for a third of {@code lease}:
     * where all runs share one node, it must be long enough that the poison dies in it, even on a busy machine.
     */
    private static void play(ChaosCluster cluster, int workers, Duration lease) {
        String[] settings = {"lease=" + lease.toMillis(), "sweep=500", "parkGrace=500", "maxTakeovers=" + MAX_TAKEOVERS
        };
        List<WorkerHandle> nodes = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            nodes.add(cluster.worker(settings));
        }
        nodes.get(0).order("many quick- 20 a:1 sleep:200 b:1");
        nodes.get(0).order("many asleep- 20 a:1 sleep:6000 b:1");
        nodes.get(0).order("many slow- 8 a:1 slow:700 b:1"); // in flight whenever the process dies
        nodes.get(0).send("start poison a:1 halt:0");

        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() -> {
                    nodes.replaceAll(node -> node.isAlive() ? node : cluster.worker(settings));
                    assertThat(cluster.database().statuses())
                            .isEqualTo(Map.of(RunStatus.COMPLETED, OTHERS, RunStatus.STUCK, 1L));
                });
        StoreTables.Row poison = cluster.database().run("poison");
        long deaths =
                cluster.journal().entries(entry -> entry.name().equals("halt")).size();
        Measurements.report("a run that kills its process was stuck after %d deaths: %s", deaths, poison.trouble());
        assertThat(poison.status()).isEqualTo(RunStatus.STUCK);
        assertThat(poison.trouble()).startsWith("[DM");
        // Usually MAX_TAKEOVERS strikes after the first death. On a busy machine the step may kill its process only
        // after its
        // probation has passed: such a death is a takeover without a strike, and twice as many of those are allowed.
        assertThat(deaths).isBetween(2L, 2L * MAX_TAKEOVERS);
        nodes.forEach(node -> assertThat(node.isAlive()).isTrue());
    }
}
