package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Runs that a node cannot or will not execute go to another at once, not at its next sweep or after a lease. */
@ExtendWith(LogOnFailure.class)
class HandOverTest {
    private static final Duration AT_ONCE = Duration.ofSeconds(2);

    @TempDir
    Path directory;

    /** With the default lease of 15 s and the default sweep of 10 s, on a node that has a second to come to a pause. */
    @Test
    void closingNodeHandsItsRunsToTheOtherAtOnce() {
        try (Scene scene = Scene.onPostgres(directory)) {
            Child leaving = scene.worker("closeGrace=1000");
            Child staying = scene.worker();
            leaving.order("many asleep- 20 a:1 sleep:4000 b:1");
            leaving.order("many long- 20 a:1 long:4000 b:1");
            leaving.order("many short- 20 a:300 b:300 c:300 d:300 e:300 f:300 g:300 h:300 i:300 j:300");
            Set<UUID> busy = busy(scene);
            leaving.closeGently();
            long closed = System.nanoTime();
            scene.awaitCompleted(60, Duration.ofSeconds(40));

            scene.assertHistoriesAgreeWithJournal();
            assertThat(busy).hasSize(40);
            Duration entered = Duration.ofNanos(lastEntered(scene, staying, busy) - closed);
            Duration late = lateness(scene, staying);
            Figures.report(
                    "a node closed with 40 runs in hand: the other had all %s after; 20 asleep woke up to %s late",
                    Figures.of(entered.toNanos()), Figures.of(late.toNanos()));
            assertThat(entered).isLessThan(AT_ONCE);
            assertThat(late).isLessThan(AT_ONCE);
        }
    }

    @Test
    void startThatDoesNotFitGoesToTheOtherNodeAtOnce() {
        try (Scene scene = Scene.onPostgres(directory)) {
            Child full = scene.worker("maxExecuting=5");
            scene.worker();
            full.order("many long- 5 a:1 long:4000 b:1");
            long asked = System.nanoTime();
            full.ask("start extra x:1");
            scene.awaitCompleted(6, Duration.ofSeconds(40));

            Deed begun = scene.journal().deeds(deed -> deed.name().equals("x")).get(0);
            Figures.report("a start on a full node began %s after on another", Figures.of(begun.nanos() - asked));
            assertThat(begun.pid()).isNotEqualTo(full.pid());
            assertThat(Duration.ofNanos(begun.nanos() - asked)).isLessThan(AT_ONCE);
        }
    }

    /** The runs whose code executes. */
    private static Set<UUID> busy(Scene scene) {
        return scene.database().runs().stream()
                .filter(run ->
                        run.status() == RunStatus.RUNNING && !run.workflowId().startsWith("asleep-"))
                .map(Database.Row::runId)
                .collect(Collectors.toSet());
    }

    /** When a worker had entered the code of all these runs. */
    private static long lastEntered(Scene scene, Child worker, Set<UUID> runs) {
        Map<UUID, Long> entered =
                scene.journal().deeds(deed -> deed.kind() == Deed.Kind.ENTERED && deed.pid() == worker.pid()).stream()
                        .collect(Collectors.toMap(Deed::runId, Deed::nanos, Math::min));
        return runs.stream()
                .mapToLong(run -> entered.getOrDefault(run, Long.MAX_VALUE))
                .max()
                .orElseThrow();
    }

    /** How late a worker woke what it had to wake, at the most. */
    private static Duration lateness(Scene scene, Child worker) {
        return scene.journal().deeds(deed -> deed.kind() == Deed.Kind.WOKE && deed.pid() == worker.pid()).stream()
                .map(deed ->
                        Duration.between(scene.database().timer(deed.runId()).deadline(), deed.at()))
                .max(Duration::compareTo)
                .orElseThrow();
    }
}
