package dev.dormouse.chaos.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.Durability;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The gain of batched durability: workflows of ten empty steps, strict and batched in turn, alone and many at a time.
 * Prints rates; asserts commits.
 */
@Tag("long")
@ExtendWith(LogOnFailure.class)
class DurabilityTest {
    private static final int ROUNDS = 7;
    private static final Duration ROUND = Duration.ofSeconds(3);
    private static final int STEPS = 10;

    @TempDir
    Path directory;

    private final AtomicInteger started = new AtomicInteger();

    @WorkflowInterface
    interface Strict {
        @WorkflowMethod
        void run();
    }

    @WorkflowInterface
    interface Batched {
        @WorkflowMethod
        void run();
    }

    @Test
    void measuredOnSqlite() throws InterruptedException {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            measure(cluster, "SQLite");
        }
    }

    @Test
    void measuredOnPostgres() throws InterruptedException {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            measure(cluster, "PostgreSQL");
        }
    }

    private void measure(ChaosCluster cluster, String store) throws InterruptedException {
        try (Dormouse dormouse = cluster.builder()
                .workflow(Strict.class, () -> DurabilityTest::tenSteps)
                .workflow(Batched.class, Durability.BATCHED, () -> DurabilityTest::tenSteps)
                .open()) {
            assertThat(commits(cluster, dormouse, "Strict")).isEqualTo(STEPS + 1);
            assertThat(commits(cluster, dormouse, "Batched")).isEqualTo(2);
            for (int inFlight : new int[] {1, 32, 500}) {
                List<Double> strict = new ArrayList<>();
                List<Double> batched = new ArrayList<>();
                perSecond(dormouse, "Strict", inFlight);
                perSecond(dormouse, "Batched", inFlight);
                for (int i = 0; i < ROUNDS; i++) {
                    strict.add(perSecond(dormouse, "Strict", inFlight));
                    batched.add(perSecond(dormouse, "Batched", inFlight));
                }
                Measurements.report(
                        "%s, %d in flight: ten-step workflows a second: strict %s, batched %s, ratio %s",
                        store, inFlight, spread(strict), spread(batched), spread(ratios(batched, strict)));
            }
        }
    }

    private static void tenSteps() {
        for (int i = 0; i < STEPS; i++) {
            Workflow.step("nothing", () -> {});
        }
    }

    private long commits(ChaosCluster cluster, Dormouse dormouse, String type) {
        WorkflowHandle<Void> handle = dormouse.start(type, type, Void.class);
        handle.result(Duration.ofSeconds(30));
        return cluster.database().commits(handle.runId());
    }

    /** Measures with {@code inFlight} callers, each of which starts a run when its last one has ended. */
    private double perSecond(Dormouse dormouse, String type, int inFlight) throws InterruptedException {
        AtomicInteger ended = new AtomicInteger();
        List<Thread> callers = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < inFlight; i++) {
            Thread caller = new Thread(() -> {
                while (System.nanoTime() - begin < ROUND.toNanos()) {
                    dormouse.start(type, "w" + started.getAndIncrement(), Void.class)
                            .result(Duration.ofSeconds(30));
                    ended.incrementAndGet();
                }
            });
            caller.start();
            callers.add(caller);
        }
        for (Thread caller : callers) {
            caller.join();
        }
        return ended.get() * 1e9 / (System.nanoTime() - begin);
    }

    private static List<Double> ratios(List<Double> above, List<Double> below) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < above.size(); i++) {
            ratios.add(above.get(i) / below.get(i));
        }
        return ratios;
    }

    private static String spread(List<Double> values) {
        double[] sorted = DoubleStream.of(values.stream().mapToDouble(v -> v).toArray())
                .sorted()
                .toArray();
        return String.format(
                Locale.ROOT, "%.1f (%.1f to %.1f)", sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]);
    }
}
