package dev.dormouse.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.testing.memory.MemoryStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Parents, children that continue as new, and failovers that lose commits, in many worlds. {@code -Dsim.seeds=5000} plays
 * more of them, {@code -Dsim.seed=42} one again.
 */
@Tag("simulation")
class FamilySimulationTest {
    private static final int SEEDS = 500;

    @Test
    void everyFamilyOfEveryWorldEnds() {
        Long one = Long.getLong("sim.seed");
        long seeds = Long.getLong("sim.seeds", 100);
        for (long seed = one == null ? 0 : one; seed < (one == null ? seeds : one + 1); seed++) {
            new FamilyWorld(seed, world -> new MemoryStore(world.storeClock(), 1)).play();
        }
    }

    @ParameterizedTest
    @EnumSource
    void plantedBugIsFound(FamilyBug bug) {
        int seed = 0;
        while (seed < SEEDS && !isFound(bug, seed)) {
            seed++;
        }
        assertThat(seed).as("seeds tried for " + bug).isLessThan(SEEDS);
    }

    private static boolean isFound(FamilyBug bug, long seed) {
        try {
            new FamilyWorld(seed, bug::plant).play();
            return false;
        } catch (AssertionError found) {
            return true;
        }
    }
}
