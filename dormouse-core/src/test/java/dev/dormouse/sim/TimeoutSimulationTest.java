package dev.dormouse.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.testing.memory.MemoryStore;
import dev.dormouse.testing.sim.SimWorld;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Execution timeouts beside messages; {@code -Dsim.seeds} and {@code -Dsim.seed} as in {@link EngineSimulationTest}. */
@Tag("simulation")
class TimeoutSimulationTest {
    private static final int SEEDS_TO_FIND = 200;

    private static MemoryStore sound(SimWorld world) {
        return new MemoryStore(world.storeClock(), 1);
    }

    /** A store in which the end of a run by its execution timeout is not fenced on its mail. */
    private static MemoryStore withoutFence(SimWorld world) {
        return new MemoryStore(world.storeClock(), 1) {
            @Override
            public synchronized List<CommitOutcome> commit(int shard, List<Commit> batch) {
                return super.commit(
                        shard,
                        batch.stream()
                                .map(commit ->
                                        commit.next().status() == RunStatus.TIMED_OUT ? commit.withAnyMail() : commit)
                                .toList());
            }
        };
    }

    @Test
    void everyAcceptedMessageIsAppliedBeforeItsRunTimesOut() {
        Long one = Long.getLong("sim.seed");
        long seeds = Long.getLong("sim.seeds", 150);
        int timedOut = 0;
        for (long seed = one == null ? 0 : one; seed < (one == null ? seeds : one + 1); seed++) {
            TimeoutWorld world = new TimeoutWorld(seed, TimeoutSimulationTest::sound);
            world.play();
            timedOut += world.timedOut();
        }
        assertThat(timedOut).isPositive();
    }

    @Test
    void sameSeedGivesTheSameWorld() {
        for (long seed = 0; seed < 4; seed++) {
            TimeoutWorld one = new TimeoutWorld(seed, TimeoutSimulationTest::sound);
            one.play();
            TimeoutWorld other = new TimeoutWorld(seed, TimeoutSimulationTest::sound);
            other.play();
            assertThat(other.traceHash()).isEqualTo(one.traceHash());
        }
    }

    @Test
    void endWithoutTheMailFenceIsFound() {
        int seed = 0;
        while (seed < SEEDS_TO_FIND && !isFound(seed)) {
            seed++;
        }
        assertThat(seed).as("seeds tried").isLessThan(SEEDS_TO_FIND);
    }

    private static boolean isFound(long seed) {
        try {
            new TimeoutWorld(seed, TimeoutSimulationTest::withoutFence).play();
            return false;
        } catch (AssertionError found) {
            return found.getMessage().contains("accepted and not applied")
                    || found.getMessage().contains("closed without its mail");
        }
    }
}
