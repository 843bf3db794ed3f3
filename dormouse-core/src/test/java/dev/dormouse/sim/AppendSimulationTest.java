package dev.dormouse.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs that mostly append, in worlds that delay calls to the store for longer than a lease. {@code -Dsim.seeds} and
 * {@code -Dsim.seed} as in {@link EngineSimulationTest}.
 */
@Tag("simulation")
class AppendSimulationTest {
    /** The default number of worlds, which together take every {@link PathCounts.Path}. */
    private static final int SEEDS = 40;

    private static final int SEEDS_FOR_BUGS = 300;

    @Test
    void everyRunOfEveryWorldEndsAndKeepsItsEvents() {
        PathCounts counts = new PathCounts();
        Long one = Long.getLong("sim.seed");
        long seeds = Long.getLong("sim.seeds", SEEDS);
        for (long seed = one == null ? 0 : one; seed < (one == null ? seeds : one + 1); seed++) {
            new AppendWorld(seed, world -> new AuditedStore(world, counts), counts).play();
        }
        if (one == null && seeds >= SEEDS) {
            assertThat(counts.taken()).containsExactly(PathCounts.Path.values());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Bug.class,
            names = {"POSITION_WRITTEN_TWICE", "APPEND_AFTER_A_GAP", "TAKEOVER_ENDS_NO_APPENDS"})
    void plantedBugIsFound(Bug bug) {
        int seed = 0;
        while (seed < SEEDS_FOR_BUGS && !isFound(bug, seed)) {
            seed++;
        }
        assertThat(seed).as("seeds tried for " + bug).isLessThan(SEEDS_FOR_BUGS);
    }

    private static boolean isFound(Bug bug, long seed) {
        try {
            new AppendWorld(seed, bug::plant, new PathCounts()).play();
            return false;
        } catch (AssertionError found) {
            return true;
        }
    }
}
