package dev.dormouse.chaos.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.chaos.workload.Breakpoint;
import dev.dormouse.chaos.workload.JournalEntry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A saga of five steps whose fourth fails compensates 3, 2, 1, even if its process is killed meanwhile. */
@ExtendWith(LogOnFailure.class)
class SagaKillTest {
    private static final String[] SETTINGS = {"code=steps", "lease=2000", "sweep=500", "parkGrace=500"};
    private static final List<String> DONE = List.of("act-1-1", "act-2-1", "act-3-1", "act-bad4-1");

    @TempDir
    Path directory;

    @Test
    void killedBetweenThreeAndTwoOnSqlite() {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            killBetween(cluster);
        }
    }

    @Test
    void killedBetweenThreeAndTwoOnPostgres() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            killBetween(cluster);
        }
    }

    @Test
    void killedDuringTwoOnPostgres() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            WorkerHandle victim = cluster.worker(SETTINGS);
            victim.order("one trip trip 1500");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> undone(cluster).contains("undo-2-1"));
            victim.kill();
            assertThat(cluster.worker(SETTINGS).ask("end trip")).isEqualTo("undone");
            assertThat(undone(cluster)).containsExactly("undo-3-1", "undo-2-1", "undo-2-2", "undo-1-1");
        }
    }

    /**
     * The third step has been compensated, but this is not committed before the next step begins, so it is compensated
     * once more.
     */
    private static void killBetween(ChaosCluster cluster) {
        WorkerHandle victim = cluster.worker(SETTINGS);
        victim.order("arm BETWEEN_UNDOS trip");
        victim.order("one trip trip 1");
        cluster.awaitHeld(Breakpoint.Point.BETWEEN_UNDOS, "trip");
        assertThat(undone(cluster)).containsExactly("undo-3-1");
        victim.kill();
        WorkerHandle other = cluster.worker(SETTINGS);
        assertThat(other.ask("end trip")).isEqualTo("undone");
        assertThat(undone(cluster)).containsExactly("undo-3-1", "undo-3-2", "undo-2-1", "undo-1-1");
        other.order("one trip untouched 1");
        assertThat(other.ask("end untouched")).isEqualTo("undone");
    }

    /** Returns the steps that began after the failure of the fourth, in order. */
    private static List<String> undone(ChaosCluster cluster) {
        List<String> begun = cluster
                .journal()
                .entries(entry -> entry.kind() == JournalEntry.Kind.BEGAN
                        && entry.workflowId().equals("trip"))
                .stream()
                .map(JournalEntry::name)
                .toList();
        int done = Math.min(begun.size(), DONE.size());
        assertThat(begun.subList(0, done)).isEqualTo(DONE.subList(0, done));
        return begun.subList(done, begun.size());
    }
}
