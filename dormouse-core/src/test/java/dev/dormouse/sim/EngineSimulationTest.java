package dev.dormouse.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.testing.memory.MemoryStore;
import dev.dormouse.testing.sim.SimWorld;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The production engine in hundreds of worlds. {@code -Dsim.seeds=5000} plays more of them, {@code -Dsim.seed=42} one
 * again.
 */
@Tag("simulation")
class EngineSimulationTest {
    private static MemoryStore sound(SimWorld world) {
        return new AuditedStore(world);
    }

    @Test
    void everyRunOfEveryWorldEndsWithItsResult() {
        Long one = Long.getLong("sim.seed");
        long seeds = Long.getLong("sim.seeds", 300);
        long lateResults = 0;
        for (long seed = one == null ? 0 : one; seed < (one == null ? seeds : one + 1); seed++) {
            EngineWorld world = EngineWorld.of(seed, EngineSimulationTest::sound);
            world.play();
            lateResults += world.lateResults();
        }
        if (one == null) {
            assertThat(lateResults).as("of steps in runs with batched results").isPositive();
        }
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
