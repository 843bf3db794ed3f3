package dev.dormouse.chaos.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.chaos.workload.JournalEntry;
import dev.dormouse.error.ErrorCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Activities that misbehave, beside others on two nodes. */
@ExtendWith(LogOnFailure.class)
class BadActivityTest {
    private static final String[] SETTINGS = {"code=steps", "lease=4000", "sweep=500", "parkGrace=500"};
    private static final int NEIGHBORS = 20;

    @TempDir
    Path directory;

    @Test
    void neighborsAreUnharmedAndAttemptsAreCountedRight() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            WorkerHandle victim = cluster.worker(SETTINGS);
            WorkerHandle survivor = cluster.worker(SETTINGS);
            startNeighbors(survivor, "survivor");
            startNeighbors(victim, "victim");
            awaitVictimsAtWork(cluster);
            victim.order("one task exit exit");
            victim.awaitEnd();
            // Not earlier: the victim could claim one of their attempts and die before it begins
            for (String bad : List.of("loop", "crash", "odd")) {
                survivor.order("one task " + bad + " " + bad);
            }

            assertThat(survivor.ask("end exit")).isEqualTo("attempt 2");
            assertThat(survivor.ask("end loop"))
                    .startsWith("gave up after 2: ")
                    .contains(ErrorCode.ATTEMPT_TIMED_OUT.label());
            assertThat(survivor.ask("end crash"))
                    .startsWith("gave up after 3: ")
                    .contains("StackOverflowError", "as deep as it goes");
            assertThat(survivor.ask("end odd"))
                    .startsWith("gave up after 1: ")
                    .contains(ErrorCode.PAYLOAD_NOT_SERIALIZABLE.label());
            cluster.awaitCompleted(4 + 4 * NEIGHBORS, Duration.ofSeconds(60));
            assertAttempts(cluster);
            assertStillWorks(survivor);
        }
    }

    /** Half of them are in an activity when the victim dies, the other half between many steps. */
    private static void startNeighbors(WorkerHandle worker, String name) {
        worker.order("several task " + name + "-work- " + NEIGHBORS + " work:6000");
        worker.order(
                "many " + name + "-script- " + NEIGHBORS + " a:50 sleep:300 b:50 c:50 d:50 e:50 f:50 sleep:200 g:1");
    }

    /**
     * Waits until all victims have begun: one that was claimed but not begun when its node dies would count an attempt
     * that no journal shows.
     */
    private static void awaitVictimsAtWork(ChaosCluster cluster) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> cluster.journal().entries(JournalEntry.Kind.BEGAN).stream()
                                .filter(entry -> entry.workflowId().startsWith("victim-work-"))
                                .count()
                        == NEIGHBORS);
    }

    private static void assertAttempts(ChaosCluster cluster) {
        Map<String, List<String>> begun = cluster.journal().entries(JournalEntry.Kind.BEGAN).stream()
                .collect(Collectors.groupingBy(
                        JournalEntry::workflowId, Collectors.mapping(JournalEntry::name, Collectors.toList())));
        assertThat(begun.get("exit")).containsExactly("exit-1", "exit-2");
        assertThat(begun.get("loop")).containsExactly("loop-1", "loop-2");
        assertThat(begun.get("crash")).containsExactly("crash-1", "crash-2", "crash-3");
        assertThat(begun.get("odd")).containsExactly("odd-1");
        for (int i = 0; i < NEIGHBORS; i++) {
            assertThat(begun.get("survivor-work-" + i)).containsExactly("work-1");
            assertThat(begun.get("victim-work-" + i)).containsExactly("work-1", "work-2");
            assertThat(begun.get("survivor-script-" + i)).containsExactly("a", "b", "c", "d", "e", "f", "g");
            assertThat(begun.get("victim-script-" + i)).contains("a", "b", "c", "d", "e", "f", "g");
        }
    }

    private static void assertStillWorks(WorkerHandle survivor) {
        survivor.order("one task after work:1");
        assertThat(survivor.ask("end after")).isEqualTo("attempt 1");
        assertThat(survivor.isAlive()).isTrue();
    }
}
