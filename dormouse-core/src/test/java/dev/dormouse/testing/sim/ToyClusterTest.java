package dev.dormouse.testing.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.sim.Bug;
import dev.dormouse.testing.memory.MemoryStore;
import dev.dormouse.testing.sim.FaultInjector.Fault;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reproducible successes and failures of the simulation. */
@Tag("simulation")
class ToyClusterTest {
    private static final Set<Fault> FAULTS = EnumSet.complementOf(EnumSet.of(Fault.FAILOVER));
    private static final FaultProfile HOSTILE = FaultProfile.HOSTILE.lastingUpTo(ToyNode.LEASE.multipliedBy(3));

    private static MemoryStore sound(SimWorld world) {
        return new MemoryStore(world.storeClock(), 1);
    }

    @Test
    void calmWorldIsExecutedWithoutTakeovers() {
        for (long seed = 0; seed < 100; seed++) {
            ToyCluster cluster = new ToyCluster(seed, FaultProfile.CALM, ToyClusterTest::sound).play(Set.of());
            assertThat(cluster.takeovers()).isZero();
        }
    }

    @Test
    void hostileWorldIsExecutedAllTheSame() {
        int takeovers = 0;
        for (long seed = 0; seed < 300; seed++) {
            ToyCluster cluster = new ToyCluster(seed, HOSTILE, ToyClusterTest::sound).play(FAULTS);
            takeovers += cluster.takeovers();
        }
        assertThat(takeovers).isPositive();
    }

    @Test
    void hostileWorldIsTheSameAgain() {
        Set<Long> hashes = new HashSet<>();
        for (long seed = 0; seed < 30; seed++) {
            long hash = new ToyCluster(seed, HOSTILE, ToyClusterTest::sound)
                    .play(FAULTS)
                    .world()
                    .traceHash();
            ToyCluster again = new ToyCluster(seed, HOSTILE, ToyClusterTest::sound).play(FAULTS);
            assertThat(again.world().traceHash()).isEqualTo(hash);
            hashes.add(hash);
        }
        assertThat(hashes).hasSize(30);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {
                "PARKED_RUN_RENEWED",
                "EVERY_DEATH_IS_A_STRIKE",
                // toy nodes send no appends
                "POSITION_WRITTEN_TWICE",
                "APPEND_AFTER_A_GAP",
                "TAKEOVER_ENDS_NO_APPENDS"
            })
    void plantedBugIsFound(Bug bug) {
        int seed = 0;
        while (seed < 1000 && !isFound(bug, seed)) {
            seed++;
        }
        assertThat(seed).as("seeds tried").isLessThan(1000);
    }

    /** Returns true if a check failed, or if a run was taken from a healthy owner. */
    private static boolean isFound(Bug bug, long seed) {
        try {
            ToyCluster calm = new ToyCluster(seed, FaultProfile.CALM, bug::plant).play(Set.of());
            new ToyCluster(seed, HOSTILE, bug::plant).play(FAULTS);
            return calm.takeovers() > 0;
        } catch (AssertionError found) {
            return true;
        }
    }
}
