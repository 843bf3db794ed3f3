package dev.dormouse.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Planted store defects, each of which the engine simulation must detect. */
@Tag("simulation")
class PlantedBugTest {
    private static final int SEEDS = 1_000;

    /** Seeds that found a bug before. They are tried first, because the search for them takes a minute. */
    private static final Map<Bug, Integer> PROMISING = Map.of(
            Bug.APPEND_AFTER_A_GAP, 221,
            Bug.PARKED_RUN_RENEWED, 44,
            Bug.NO_FENCE, 26,
            Bug.NO_MAIL_CHECK, 20,
            Bug.POSITION_WRITTEN_TWICE, 17,
            Bug.TAKEOVER_ENDS_NO_APPENDS, 17);

    @ParameterizedTest
    @EnumSource
    void plantedBugIsFoundWithinAThousandSeeds(Bug bug) {
        assertThat(isFound(bug, PROMISING.getOrDefault(bug, 0)) || isFoundByAny(bug))
                .as("%s is found within %d seeds", bug, SEEDS)
                .isTrue();
    }

    private static boolean isFoundByAny(Bug bug) {
        return IntStream.range(0, SEEDS).anyMatch(seed -> isFound(bug, seed));
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
