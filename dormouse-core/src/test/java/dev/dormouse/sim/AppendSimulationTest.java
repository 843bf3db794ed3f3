package dev.dormouse.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs that mostly append, in worlds that delay what is sent for longer than a lease. */
@Tag("simulation")
class AppendSimulationTest {
    @Test
    void everyRunEndsAndNoRuleIsBroken() {
        Map<String, Integer> counts = new TreeMap<>();
        Long one = Long.getLong("sim.seed");
        long from = one == null ? Long.getLong("sim.from", 0) : one;
        long to = one == null ? from + Long.getLong("sim.seeds", 100) : one + 1;
        List<String> failed = new ArrayList<>();
        for (long seed = from; seed < to; seed++) {
            try {
                new AppendWorld(seed, world -> new AuditedStore(world, counts), counts).play();
            } catch (AssertionError problem) {
                if (one != null) {
                    throw problem;
                }
                failed.add(seed + ": " + problem.getMessage().lines().limit(2).toList());
                System.out.println(failed.get(failed.size() - 1));
            }
        }
        counts.forEach((what, number) -> System.out.println("COUNT " + number + " " + what));
        assertThat(failed).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Bug.class,
            names = {"POSITION_WRITTEN_TWICE", "APPEND_AFTER_A_GAP", "TAKEOVER_ENDS_NO_APPENDS"})
    void plantedBugIsFound(Bug bug) {
        int seed = 0;
        while (seed < 300 && !isFound(bug, seed)) {
            seed++;
        }
        System.out.println("COUNT " + bug + " found at seed " + seed);
        assertThat(seed).isLessThan(300);
    }

    private static boolean isFound(Bug bug, long seed) {
        try {
            new AppendWorld(seed, bug::plant, new TreeMap<>()).play();
            return false;
        } catch (AssertionError found) {
            return true;
        }
    }
}
