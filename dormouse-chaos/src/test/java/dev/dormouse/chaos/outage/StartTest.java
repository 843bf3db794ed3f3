package dev.dormouse.chaos.outage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.chaos.postgres.ChaosPostgres;
import dev.dormouse.chaos.postgres.CuttingProxy;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.inspect.RunStatus;
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

/** Starts whose answers are lost, and starts that are repeated. */
@ExtendWith(LogOnFailure.class)
class StartTest {
    @TempDir
    Path directory;

    @Test
    void startWhoseAnswerWasLostRunsOnce() throws IOException {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory);
                CuttingProxy proxy = new CuttingProxy(ChaosPostgres.port(), 8, 42)) {
            cluster.worker();
            WorkerHandle client =
                    cluster.worker("code=none", "store=" + ChaosPostgres.url(ChaosPostgres.ENGINE, proxy.port()));
            proxy.cut();
            for (int i = 0; i < 100; i++) {
                client.ask("start lost-" + i + " a:1 b:1");
            }
            client.order("many lost- 2000 a:1 b:1");
            cluster.awaitCompleted(2_000, Duration.ofSeconds(60));

            assertThat(cluster.journal().repeated()).isEmpty();
            cluster.assertHistoriesAgreeWithJournal();
            assertThat(proxy.cuts()).isGreaterThan(5);
            Measurements.report("2,000 starts through %d lost answers: each ran once", proxy.cuts());
        }
    }

    /** The client dies after its start was sent; the next client does not know how far it got, and starts again. */
    @Test
    void startIsRetriedByAnotherProcessAfterTheFirstWasKilled() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            cluster.worker();
            WorkerHandle client = cluster.worker("code=none");
            client.send("many retried- 4000 a:1 b:1");
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> cluster.database().runs().size() >= 300);
            client.kill();
            int begun = cluster.database().runs().size();
            cluster.worker("code=none").order("many retried- 4000 a:1 b:1");
            cluster.awaitCompleted(4_000, Duration.ofSeconds(60));

            Measurements.report("a client was killed after %d of 4,000 starts; another repeated them all", begun);
            assertThat(begun).isLessThan(4_000);
            assertThat(cluster.journal().repeated()).isEmpty();
            cluster.assertHistoriesAgreeWithJournal();
        }
    }

    @Test
    void sameIdStartedByHundredThreadsOnTwoNodesIsOneRun() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            WorkerHandle one = cluster.launch();
            WorkerHandle two = cluster.launch();
            List<WorkerHandle> nodes = List.of(one.awaitReady(), two.awaitReady());
            Set<String> runs = new TreeSet<>();
            for (int round = 0; round < 10; round++) {
                long at = System.currentTimeMillis() + 100;
                String race = "race same-" + round + " 50 " + at + " a:1";
                nodes.forEach(node -> node.send(race));
                Set<String> answers =
                        Set.copyOf(nodes.stream().map(WorkerHandle::nextAnswer).toList());
                assertThat(answers).hasSize(1);
                runs.addAll(answers);
            }
            cluster.awaitCompleted(10, Duration.ofSeconds(30));

            assertThat(cluster.database().runs())
                    .extracting(run -> run.runId().toString())
                    .containsExactlyInAnyOrderElementsOf(runs);
            assertThat(cluster.database().statuses()).containsOnlyKeys(RunStatus.COMPLETED);
            assertThat(cluster.journal().repeated()).isEmpty();
            cluster.assertHistoriesAgreeWithJournal();
        }
    }
}
