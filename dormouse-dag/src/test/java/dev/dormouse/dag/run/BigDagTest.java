package dev.dormouse.dag.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagBuilder;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.Dags;
import dev.dormouse.dag.support.DagScenario;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DAGs with very many steps. */
class BigDagTest {
    private static final int CHAIN = 1_000;
    private static final int OUTPUT = 100_000;

    @TempDir
    Path folder;

    /** Each step has up to five predecessors. */
    private static DagBuilder steps(int number) {
        DagBuilder dag = Dag.workflow("big");
        for (int i = 0; i < number; i++) {
            dag.task("s" + i, "log");
            for (int before = Math.max(0, i - 5); before < i; before++) {
                dag.after("s" + before);
            }
            dag.input(i == 0 ? "$.input" : "$.steps.s0");
        }
        return dag;
    }

    @Test
    void fiveHundredStepsAreCheckedInMilliseconds() {
        steps(500).build();
        long begin = System.nanoTime();
        Dag dag = steps(500).build();
        long built = System.nanoTime();
        Dag read = Dag.fromJson(dag.toJson());
        long end = System.nanoTime();
        assertThat(read).isEqualTo(dag);
        System.out.println("500 steps: built and checked in "
                + Duration.ofNanos(built - begin).toMillis() + " ms, written and read in "
                + Duration.ofNanos(end - built).toMillis() + " ms");
    }

    /** 1,000 outputs of 100 kB are 100 MB: a run that kept them all would need at least that much. */
    @Test
    void chainOfAThousandStepsDropsUnusedOutputs() {
        DagBuilder chain = Dag.workflow("chain");
        for (int i = 0; i < CHAIN; i++) {
            chain.task("s" + i, "next").input(i == 0 ? "$.input" : "$.steps.s" + (i - 1));
            if (i > 0) {
                chain.after("s" + (i - 1));
            }
        }
        AtomicInteger calls = new AtomicInteger();
        long[] most = {0};
        Dags dags = Dags.of(chain.build());
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite:" + folder.resolve("chain.db"))
                .activity("next", String.class, String.class, text -> {
                    if (calls.incrementAndGet() % 100 == 0) {
                        most[0] = Math.max(most[0], live());
                    }
                    return (calls.get() + " ").repeat(OUTPUT / 2).substring(0, OUTPUT);
                })
                .plugin(dags)
                .open()) {
            long before = live();
            DagRun run = dags.start("chain", "chain", "x");
            Map<String, Object> result = DagScenario.result(run);
            assertThat(result).containsOnlyKeys("s" + (CHAIN - 1));
            assertThat(calls).hasValue(CHAIN);
            System.out.println("A chain of " + CHAIN + " steps with outputs of " + OUTPUT + " characters held at most "
                    + (most[0] - before) / 1_000_000 + " MB");
            assertThat(most[0] - before).isLessThan(CHAIN * (long) OUTPUT / 4);
        }
    }

    /** Returns the heap in use after a garbage collection. */
    private static long live() {
        System.gc();
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getUsage)
                .mapToLong(usage -> usage.getUsed())
                .sum();
    }
}
