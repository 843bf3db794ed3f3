package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.RunStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Starts whose answers get lost, and starts that come many times. */
@ExtendWith(LogOnFailure.class)
class StartTest {
    @TempDir
    Path directory;

    @Test
    void startWhoseAnswerWasLostRunsOnce() throws IOException {
        try (Scene scene = Scene.onPostgres(directory);
                CuttingProxy proxy = new CuttingProxy(ChaosPostgres.port(), 8, 42)) {
            scene.worker();
            Child client = scene.worker("code=none", "store=" + ChaosPostgres.url(ChaosPostgres.ENGINE, proxy.port()));
            proxy.cut();
            for (int i = 0; i < 100; i++) {
                client.ask("start lost-" + i + " a:1 b:1");
            }
            client.order("many lost- 2000 a:1 b:1");
            scene.awaitCompleted(2_000, Duration.ofSeconds(60));

            assertThat(scene.journal().repeated()).isEmpty();
            scene.assertHistoriesAgreeWithJournal();
            assertThat(proxy.cuts()).isGreaterThan(5);
            Figures.report("2,000 starts through %d lost answers: each ran once", proxy.cuts());
        }
    }

    /** The client dies after its start went out; the next one cannot know how far it came, and begins anew. */
    @Test
    void startIsRetriedByAnotherProcessAfterTheFirstWasKilled() {
        try (Scene scene = Scene.onPostgres(directory)) {
            scene.worker();
            Child client = scene.worker("code=none");
            client.tell("many retried- 4000 a:1 b:1");
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> scene.database().runs().size() >= 300);
            client.kill();
            int begun = scene.database().runs().size();
            scene.worker("code=none").order("many retried- 4000 a:1 b:1");
            scene.awaitCompleted(4_000, Duration.ofSeconds(60));

            Figures.report("a client was killed after %d of 4,000 starts; another repeated them all", begun);
            assertThat(begun).isLessThan(4_000);
            assertThat(scene.journal().repeated()).isEmpty();
            scene.assertHistoriesAgreeWithJournal();
        }
    }

    @Test
    void sameIdStartedByHundredThreadsOnTwoNodesIsOneRun() {
        try (Scene scene = Scene.onPostgres(directory)) {
            Child one = scene.launch();
            Child two = scene.launch();
            List<Child> nodes = List.of(one.awaitReady(), two.awaitReady());
            Set<String> runs = new TreeSet<>();
            for (int round = 0; round < 10; round++) {
                long at = System.currentTimeMillis() + 100;
                String race = "race same-" + round + " 50 " + at + " a:1";
                nodes.forEach(node -> node.tell(race));
                Set<String> answers = Set.copyOf(nodes.stream().map(Child::hear).toList());
                assertThat(answers).hasSize(1);
                runs.addAll(answers);
            }
            scene.awaitCompleted(10, Duration.ofSeconds(30));

            assertThat(scene.database().runs())
                    .extracting(run -> run.runId().toString())
                    .containsExactlyInAnyOrderElementsOf(runs);
            assertThat(scene.database().statuses()).containsOnlyKeys(RunStatus.COMPLETED);
            assertThat(scene.journal().repeated()).isEmpty();
            scene.assertHistoriesAgreeWithJournal();
        }
    }
}
