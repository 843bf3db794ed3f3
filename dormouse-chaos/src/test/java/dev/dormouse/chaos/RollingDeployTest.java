package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Two builds of the same workflow on two nodes: each run goes where its code is. */
@ExtendWith(LogOnFailure.class)
class RollingDeployTest {
    private static final List<String> OLD = List.of("code=" + Order.OLD, "build=1");
    private static final List<String> NEW = List.of("code=" + Order.NEW, "build=2");

    @TempDir
    Path directory;

    @Test
    void runsGoToTheNodeWhoseCodeFitsAndNoneIsCalledStuckWhileItLives() {
        try (Scene scene = Scene.onPostgres(directory)) {
            Audit audit = Audit.of(scene);
            Child old = scene.worker(with(OLD, audit.as("old")));
            Child young = scene.worker(with(NEW, audit.as("young")));
            old.order("order old- 50 1500");
            young.order("order new- 50 1500");
            scene.awaitCompleted(100, Duration.ofSeconds(40));

            assertThat(audit.writes()).noneMatch(write -> write.after() == RunStatus.STUCK);
            assertThat(finishedBy(scene, old)).hasSize(50).allMatch(id -> id.startsWith("old-"));
            assertThat(finishedBy(scene, young)).hasSize(50).allMatch(id -> id.startsWith("new-"));
            assertThat(scene.journal().repeated()).isEmpty();
            long refusals = audit.writes().stream()
                    .filter(write -> write.before() == RunStatus.RUNNING && write.after() == RunStatus.PENDING)
                    .count();
            Figures.report("two builds on two nodes: %d of 100 runs were handed over", refusals);
            assertThat(refusals).isPositive();
        }
    }

    @Test
    void runThatNoLiveCodeFitsIsStuckUntilSuchCodeIsBack() {
        try (Scene scene = Scene.onPostgres(directory)) {
            Child old = scene.worker(with(OLD));
            Child young = scene.worker(with(NEW));
            old.order("order old- 20 2500");
            young.order("order new- 20 2500");
            old.kill();
            awaitStatuses(scene, Map.of(RunStatus.STUCK, 20L, RunStatus.COMPLETED, 20L));
            Database.Row stuck = scene.database().run("old-0");
            assertThat(stuck.trouble()).startsWith("[DM").contains("reserve", "charge", "Order.java");

            long deployed = System.nanoTime();
            Child again = scene.worker(with(OLD));
            awaitStatuses(scene, Map.of(RunStatus.COMPLETED, 40L));
            Figures.report(
                    "stuck runs were healed %s after the right code began to boot",
                    Figures.of(scene.journal()
                                    .deeds(deed -> deed.pid() == again.pid())
                                    .get(0)
                                    .nanos()
                            - deployed));
            assertThat(scene.journal().repeated()).isEmpty();
        }
    }

    private static String[] with(List<String> build, String... more) {
        List<String> all = new ArrayList<>(List.of("lease=2000", "sweep=500", "parkAtMost=0"));
        all.addAll(build);
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    /** The workflow ids whose last step a worker executed. */
    private static List<String> finishedBy(Scene scene, Child worker) {
        return scene
                .journal()
                .deeds(deed -> deed.pid() == worker.pid() && deed.name().equals("ship"))
                .stream()
                .map(Deed::workflowId)
                .toList();
    }

    private static void awaitStatuses(Scene scene, Map<RunStatus, Long> expected) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(40))
                .untilAsserted(() -> assertThat(scene.database().statuses()).isEqualTo(expected));
    }
}
