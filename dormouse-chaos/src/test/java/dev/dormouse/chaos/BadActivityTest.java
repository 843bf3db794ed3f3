package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Activities that do what none should, beside others on two nodes. */
@ExtendWith(LogOnFailure.class)
class BadActivityTest {
    private static final String[] SETTINGS = {"code=steps", "lease=4000", "sweep=500", "parkGrace=500"};
    private static final int NEIGHBOURS = 20;

    @TempDir
    Path directory;

    @Test
    void neighboursAreUnharmedAndAttemptsAreCountedRight() {
        try (Scene scene = Scene.onPostgres(directory)) {
            Child victim = scene.worker(SETTINGS);
            Child survivor = scene.worker(SETTINGS);
            startNeighbours(survivor, "survivor");
            startNeighbours(victim, "victim");
            for (String bad : List.of("loop", "crash", "odd")) {
                survivor.order("one task " + bad + " " + bad);
            }
            awaitVictimsAtWork(scene);
            victim.order("one task exit exit");
            victim.awaitEnd();

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
            scene.awaitCompleted(4 + 4 * NEIGHBOURS, Duration.ofSeconds(60));
            assertAttempts(scene);
            assertStillWorks(survivor);
        }
    }

    /** Half of them are in an activity when the victim dies, half of them between many steps. */
    private static void startNeighbours(Child worker, String name) {
        worker.order("several task " + name + "-work- " + NEIGHBOURS + " work:6000");
        worker.order(
                "many " + name + "-script- " + NEIGHBOURS + " a:50 sleep:300 b:50 c:50 d:50 e:50 f:50 sleep:200 g:1");
    }

    /** One that was claimed and had not begun when its node died would count an attempt that nobody saw. */
    private static void awaitVictimsAtWork(Scene scene) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> scene.journal().deeds(Deed.Kind.BEGAN).stream()
                                .filter(deed -> deed.workflowId().startsWith("victim-work-"))
                                .count()
                        == NEIGHBOURS);
    }

    private static void assertAttempts(Scene scene) {
        Map<String, List<String>> begun = scene.journal().deeds(Deed.Kind.BEGAN).stream()
                .collect(Collectors.groupingBy(Deed::workflowId, Collectors.mapping(Deed::name, Collectors.toList())));
        assertThat(begun.get("exit")).containsExactly("exit-1", "exit-2");
        assertThat(begun.get("loop")).containsExactly("loop-1", "loop-2");
        assertThat(begun.get("crash")).containsExactly("crash-1", "crash-2", "crash-3");
        assertThat(begun.get("odd")).containsExactly("odd-1");
        for (int i = 0; i < NEIGHBOURS; i++) {
            assertThat(begun.get("survivor-work-" + i)).containsExactly("work-1");
            assertThat(begun.get("victim-work-" + i)).containsExactly("work-1", "work-2");
            assertThat(begun.get("survivor-script-" + i)).containsExactly("a", "b", "c", "d", "e", "f", "g");
            assertThat(begun.get("victim-script-" + i)).contains("a", "b", "c", "d", "e", "f", "g");
        }
    }

    private static void assertStillWorks(Child survivor) {
        survivor.order("one task after work:1");
        assertThat(survivor.ask("end after")).isEqualTo("attempt 1");
        assertThat(survivor.isAlive()).isTrue();
    }
}
