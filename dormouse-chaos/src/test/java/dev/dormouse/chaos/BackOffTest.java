package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.RunStatus;
import dev.dormouse.store.WakeReason;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Ten thousand activities that have failed and are to be tried again in an hour, and the little that they may cost. */
@ExtendWith(LogOnFailure.class)
class BackOffTest {
    private static final int WARM_UP = 1_000;
    private static final int MANY = 10_000;
    private static final int SOON = 200;
    private static final int SOON_MILLIS = 12_000;
    private static final String[] SETTINGS = {
        "code=steps", "maxExecuting=50", "maxParked=50", "lease=3000", "sweep=2000"
    };

    @TempDir
    Path directory;

    @Test
    void activitiesInBackOffOnSqliteHoldNoThread() {
        try (Scene scene = Scene.onSqlite(directory)) {
            backOff(scene);
        }
    }

    @Test
    void activitiesInBackOffOnPostgresHoldNoThread() {
        try (Scene scene = Scene.onPostgres(directory)) {
            backOff(scene);
        }
    }

    private static void backOff(Scene scene) {
        Child worker = scene.worker(SETTINGS);
        worker.order("several task early- " + WARM_UP + " fail:3600000");
        awaitBackOff(scene, WARM_UP);
        Usage before = Usage.of(worker);
        worker.order("several task hour- " + MANY + " fail:3600000");
        awaitBackOff(scene, WARM_UP + MANY);
        Usage after = Usage.of(worker);
        double perRun = (after.heap() - before.heap()) / (double) MANY;
        Figures.report(
                "%,d activities in back-off on %s: %.1f bytes of heap each, threads %d before and %d after, most %d",
                MANY,
                scene.isPostgres() ? "PostgreSQL" : "SQLite",
                perRun,
                before.threads(),
                after.threads(),
                after.mostThreads());
        assertThat(perRun).isLessThan(300);
        assertThat(after.threads()).isLessThanOrEqualTo(before.threads() + 10);
        assertThat(after.mostThreads()).isLessThan(500);
        assertSomeGoOnAmongThem(scene, worker);
    }

    /** Some whose time comes soon, a while of which there is no process at all. */
    private static void assertSomeGoOnAmongThem(Scene scene, Child worker) {
        worker.order("several task soon- " + SOON + " fail:" + SOON_MILLIS);
        awaitBackOff(scene, WARM_UP + MANY + SOON);
        worker.kill();
        scene.worker(SETTINGS);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(scene.database().statuses())
                        .isEqualTo(Map.of(RunStatus.WAITING, (long) WARM_UP + MANY, RunStatus.COMPLETED, (long) SOON)));
        long latest = 0;
        for (List<Deed> deeds : attempts(scene).values()) {
            assertThat(deeds).extracting(Deed::name).containsExactly("fail-1", "fail-2");
            Duration waited = Duration.between(deeds.get(0).at(), deeds.get(1).at());
            assertThat(waited).isGreaterThanOrEqualTo(Duration.ofMillis(SOON_MILLIS));
            latest = Math.max(latest, waited.toNanos() - SOON_MILLIS * 1_000_000L);
        }
        Figures.report("%d of them went on after a kill, the last %s late", SOON, Figures.of(latest));
    }

    private static Map<String, List<Deed>> attempts(Scene scene) {
        Map<String, List<Deed>> attempts = scene
                .journal()
                .deeds(deed -> deed.workflowId().startsWith("soon-") && deed.kind() == Deed.Kind.BEGAN)
                .stream()
                .collect(Collectors.groupingBy(Deed::workflowId));
        assertThat(attempts).hasSize(SOON);
        return attempts;
    }

    private static void awaitBackOff(Scene scene, int number) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> {
                    assertThat(scene.database().statuses()).isEqualTo(Map.of(RunStatus.WAITING, (long) number));
                    assertThat(reasons(scene)).containsExactly(WakeReason.RETRY);
                });
    }

    private static List<WakeReason> reasons(Scene scene) {
        return scene.database()
                .select("select distinct wake_reason from ${prefix}run", row -> WakeReason.of(row.getInt(1)));
    }
}
