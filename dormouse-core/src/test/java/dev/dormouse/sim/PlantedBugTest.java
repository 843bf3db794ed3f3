package dev.dormouse.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Planted store defects, each of which the engine simulation must detect. */
@Tag("simulation")
class PlantedBugTest {
    private static final int SEEDS = 1_000;

    @ParameterizedTest
    @EnumSource
    void plantedBugIsFoundWithinAThousandSeeds(Bug bug) {
        int seed = 0;
        while (seed < SEEDS && !isFound(bug, seed)) {
            seed++;
        }
        assertThat(seed).as("seeds tried for " + bug).isLessThan(SEEDS);
    }

    private static boolean isFound(Bug bug, long seed) {
        try {
            EngineWorld.of(seed, bug::plant).play();
            return false;
        } catch (AssertionError found) {
            return true;
        }
    }
}
