package dev.dormouse.internal.engine.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.testing.sim.SimWorld;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

class SweepScheduleTest {
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private static void play(BiConsumer<SimWorld, SweepSchedule> scenario) {
        SimWorld world = new SimWorld(1);
        world.run(() -> scenario.accept(world, new SweepSchedule(world.driver().threads())));
    }

    @Test
    void firstSweepIsDueAtOnceAndTheNextAfterTheInterval() {
        play((world, sweeps) -> {
            assertThat(sweeps.isDue(INTERVAL)).isTrue();
            sweeps.begin();
            assertThat(sweeps.isDue(INTERVAL)).isFalse();
            world.sleep(Duration.ofSeconds(4));
            assertThat(sweeps.untilNext(INTERVAL)).isEqualTo(Duration.ofSeconds(6));
            assertThat(sweeps.isDue(Duration.ofSeconds(4)))
                    .as("a shorter interval")
                    .isTrue();
            world.sleep(Duration.ofSeconds(6));
            assertThat(sweeps.isDue(INTERVAL)).isTrue();
            world.sleep(Duration.ofSeconds(6));
            assertThat(sweeps.untilNext(INTERVAL)).isEqualTo(Duration.ZERO);
        });
    }

    @Test
    void requestDuringASweepCausesAnother() {
        play((world, sweeps) -> {
            sweeps.begin();
            sweeps.request();
            assertThat(sweeps.untilNext(INTERVAL)).isEqualTo(Duration.ZERO);
            sweeps.begin();
            assertThat(sweeps.isDue(INTERVAL)).isFalse();
        });
    }
}
