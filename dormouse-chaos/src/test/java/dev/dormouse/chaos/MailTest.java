package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Signals between processes: each is applied exactly once and in order, or refused. */
@ExtendWith(LogOnFailure.class)
class MailTest {
    private static final String[] SETTINGS = {
        "code=tally", "lease=2000", "sweep=1000", "parkAtMost=50", "parkGrace=1000"
    };
    private static final int RUNS = 24;
    private static final int WAITS = 60;
    private static final int SENDERS = 8;
    private static final int EACH = 6_250;

    @TempDir
    Path directory;

    @Test
    void signalsRacingSuspendTimeoutCloseAndTakeoverAreAppliedOnceInOrderOrRefused() {
        try (Scene scene = Scene.onPostgres(directory)) {
            Child first = scene.worker(SETTINGS);
            scene.worker(SETTINGS);
            Child client = scene.worker("code=tallyElsewhere");
            client.tell("pelt race- " + RUNS + " " + WAITS);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> scene.database().runs().size() == RUNS
                            && scene.database().mailCount() > 20 * RUNS);
            first.kill();
            scene.worker(SETTINGS);
            String[] accepted = client.hear().split(" ", -1);

            scene.awaitCompleted(RUNS, Duration.ofSeconds(60));
            int all = 0;
            for (int i = 0; i < RUNS; i++) {
                int count = Integer.parseInt(accepted[i]);
                all += count;
                // What was accepted after the code had returned was handled too, but is too late for the result
                assertThat(client.ask("seen race-" + i)).as("run %s", i).isEqualTo(count + " 0");
                String sent =
                        IntStream.range(0, count).mapToObj(Integer::toString).collect(Collectors.joining(", "));
                String result = client.ask("result race-" + i);
                assertThat("[" + sent).as("run %s", i).startsWith(result.substring(0, result.length() - 1));
            }
            Figures.report("%,d signals raced %d runs on two nodes, one of which was killed", all, RUNS);
            assertThat(all).isGreaterThan(20 * RUNS);
        }
    }

    @Test
    void waitForASignalTimesOutAlsoIfItsProcessWasDeadAtTheDeadline() {
        try (Scene scene = Scene.onSqlite(directory)) {
            Child first = scene.worker("parkAtMost=0");
            first.ask("start waits signal:2000");
            Awaitility.await().until(() -> scene.database().statuses().equals(Map.of(RunStatus.WAITING, 1L)));
            first.kill();
            Awaitility.await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
            scene.worker("parkAtMost=0");
            scene.awaitCompleted(1, Duration.ofSeconds(10));
            assertThat(scene.journal().deeds(deed -> deed.kind() == Deed.Kind.WOKE))
                    .extracting(Deed::name)
                    .containsExactly("nothing");
        }
    }

    @Test
    void stormOnPostgresLosesNoneAndKeepsMemoryBounded() {
        try (Scene scene = Scene.onPostgres(directory)) {
            Child worker = scene.launch(List.of("-Xmx128m"), SETTINGS).awaitReady();
            storm(scene, scene.worker("code=tallyElsewhere"), worker);
        }
    }

    @Test
    void stormOnSqliteLosesNoneAndKeepsMemoryBounded() {
        try (Scene scene = Scene.onSqlite(directory)) {
            Child worker = scene.launch(List.of("-Xmx128m"), SETTINGS).awaitReady();
            storm(scene, worker, worker);
        }
    }

    private static void storm(Scene scene, Child sender, Child worker) {
        long nanos = Long.parseLong(sender.ask("storm one " + SENDERS + " " + EACH));
        String result = sender.ask("result one");
        int all = SENDERS * EACH;
        Figures.report(
                "%,d signals to one run from %d senders on %s: %,.0f a second, heap %,d bytes after it",
                all,
                SENDERS,
                scene.isPostgres() ? "PostgreSQL" : "SQLite",
                all / (nanos / 1e9),
                Long.parseLong(worker.ask("memory").split(" ", -1)[0]));
        assertThat(result).isEqualTo("[" + all + ", 0]");
        assertThat(scene.database().statuses()).isEqualTo(Map.of(RunStatus.COMPLETED, 1L));
    }
}
