package dev.dormouse.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.testing.memory.MemoryStore;
import dev.dormouse.testing.sim.SimWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The production engine in hundreds of worlds. {@code -Dsim.seeds=5000} plays more of them, {@code -Dsim.seed=42} one
 * again.
 */
@Tag("simulation")
class EngineSimulationTest {
    private static final Map<String, Integer> COUNTS = new TreeMap<>();

    private static MemoryStore sound(SimWorld world) {
        return new AuditedStore(world, COUNTS);
    }

    @Test
    void everyRunOfEveryWorldEndsWithItsResult() {
        Long one = Long.getLong("sim.seed");
        long seeds = Long.getLong("sim.seeds", 300);
        long lateResults = 0;
        long from = Long.getLong("sim.from", 0);
        List<String> failed = new ArrayList<>();
        for (long seed = one == null ? from : one; seed < (one == null ? from + seeds : one + 1); seed++) {
            EngineWorld world = EngineWorld.of(seed, EngineSimulationTest::sound);
            try {
                world.play();
            } catch (AssertionError problem) {
                if (one != null) {
                    throw problem;
                }
                failed.add(seed + ": " + problem.getMessage().lines().limit(3).toList());
                System.out.println(failed.get(failed.size() - 1));
            }
            COUNTS.merge("closings", world.closings(), Integer::sum);
            lateResults += world.lateResults();
        }
        COUNTS.forEach((what, number) -> System.out.println("COUNT " + number + " " + what));
        assertThat(failed).isEmpty();
        assertThat(lateResults).as("of steps in runs with batched results").isPositive();
    }

    @Test
    void sameSeedGivesTheSameWorld() {
        for (long seed = 0; seed < 12; seed++) {
            EngineWorld one = EngineWorld.of(seed, EngineSimulationTest::sound);
            one.play();
            EngineWorld other = EngineWorld.of(seed, EngineSimulationTest::sound);
            other.play();
            assertThat(other.traceHash()).isEqualTo(one.traceHash());
        }
    }
}
