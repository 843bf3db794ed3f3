package dev.dormouse.chaos.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.chaos.workload.JournalEntry;
import dev.dormouse.chaos.workload.ScriptWorkflow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 of runs with batched durability: the last steps are executed again, and no others. */
@ExtendWith(LogOnFailure.class)
class BatchedKillTest {
    private static final String[] SETTINGS = {"code=steps", "lease=2000", "sweep=500", "parkGrace=500"};
    private static final int STEPS = 60;

    /** A result is sent after 50 ms; the rest is a margin for the commit on a busy machine. */
    private static final Duration LOST_AT_MOST = Duration.ofMillis(1_500);

    @TempDir
    Path directory;

    @Test
    void lastStepsOnSqliteRunAgain() {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            killAmongSteps(cluster);
        }
    }

    @Test
    void lastStepsOnPostgresRunAgain() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            killAmongSteps(cluster);
        }
    }

    private static void killAmongSteps(ChaosCluster cluster) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            words.add("s" + i + ":10");
        }
        WorkerHandle victim = cluster.worker(SETTINGS);
        victim.order("one " + ScriptWorkflow.BATCHED + " many " + String.join("+", words));
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> ended(cluster).size() >= STEPS / 2);
        long killed = victim.kill();
        List<JournalEntry> before = ended(cluster);
        assertThat(cluster.worker(SETTINGS).ask("end many")).isEqualTo("done");

        List<JournalEntry> after =
                ended(cluster).subList(before.size(), ended(cluster).size());
        List<JournalEntry> again = before.stream()
                .filter(entry -> after.stream().anyMatch(other -> other.name().equals(entry.name())))
                .toList();
        Measurements.report("%d of %d steps that had ended ran again after a kill", again.size(), before.size());
        assertThat(before.size() + after.size() - again.size()).isEqualTo(STEPS);
        assertThat(again).allMatch(entry -> killed - entry.nanos() < LOST_AT_MOST.toNanos());
        assertThat(after).extracting(JournalEntry::name).doesNotHaveDuplicates();
    }

    private static List<JournalEntry> ended(ChaosCluster cluster) {
        return cluster.journal().entries(JournalEntry.Kind.ENDED);
    }
}
