package dev.dormouse.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Types that change between builds; {@code -Dsim.seeds} and {@code -Dsim.seed} as in {@link EngineSimulationTest}. */
@Tag("simulation")
class BuildsSimulationTest {
    private static final int SEEDS_TO_FIND = 100;

    @Test
    void everyRunEndsWhileABuildThatCanReadItIsAlive() {
        Long one = Long.getLong("sim.seed");
        long seeds = Long.getLong("sim.seeds", 150);
        for (long seed = one == null ? 0 : one; seed < (one == null ? seeds : one + 1); seed++) {
            BuildsWorld.of(seed).play();
        }
    }

    @Test
    void sameSeedGivesTheSameWorld() {
        for (long seed = 0; seed < 4; seed++) {
            BuildsWorld one = BuildsWorld.of(seed);
            one.play();
            BuildsWorld other = BuildsWorld.of(seed);
            other.play();
            assertThat(other.traceHash()).isEqualTo(one.traceHash());
        }
    }

    @Test
    void buildThatFailsWhereItCannotReadAnInputIsFound() {
        assertFound("ended otherwise");
    }

    @Test
    void buildThatDropsSignalsItCannotReadIsFound() {
        assertFound("not all runs have ended");
    }

    private static void assertFound(String what) {
        int seed = 0;
        while (seed < SEEDS_TO_FIND && !isFound(seed, what)) {
            seed++;
        }
        assertThat(seed).as("seeds tried").isLessThan(SEEDS_TO_FIND);
    }

    private static boolean isFound(long seed, String what) {
        try {
            BuildsWorld.careless(seed).play();
            return false;
        } catch (AssertionError found) {
            return found.getMessage().contains(what);
        }
    }
}
