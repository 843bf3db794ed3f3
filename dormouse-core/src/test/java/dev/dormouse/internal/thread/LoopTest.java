package dev.dormouse.internal.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.testing.sim.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Wake-ups, rests and the end of an engine loop. */
class LoopTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int SEEDS = 20;

    /** A loop that waits for a request, takes it, and works for a second. */
    private static final class Requests extends Loop {
        private final Threads threads;
        private final List<Integer> seen = new ArrayList<>();
        private int requested;
        private boolean hasEnded;

        Requests(SimWorld world) {
            this(world.newNode("n").threads());
        }

        private Requests(Threads threads) {
            super(threads);
            this.threads = threads;
        }

        void request() {
            requested++;
            wake();
        }

        @Override
        public void run() {
            super.run();
            hasEnded = true;
        }

        @Override
        protected void turn() {
            await();
            int now = requested;
            threads.newGate().pass(SECOND);
            seen.add(now);
        }
    }

    private static void play(Consumer<SimWorld> scenario) {
        for (long seed = 0; seed < SEEDS; seed++) {
            SimWorld world = new SimWorld(seed);
            world.run(() -> scenario.accept(world));
        }
    }

    @Test
    void requestAtAnyInstantIsSeenByATurn() {
        play(world -> {
            Requests loop = new Requests(world);
            loop.start("loop");
            for (int i = 1; i <= 50; i++) {
                world.sleep(Duration.ofMillis(world.random().nextInt(1_500)));
                loop.request();
            }
            assertThat(world.await(() -> loop.seen.contains(50), Duration.ofMillis(100), Duration.ofSeconds(3)))
                    .isTrue();
        });
    }

    @Test
    void wakeUpsDuringATurnCountAsOne() {
        play(world -> {
            Requests loop = new Requests(world);
            loop.start("loop");
            loop.request();
            world.sleep(Duration.ofMillis(500));
            loop.request();
            loop.request();
            world.sleep(Duration.ofMinutes(1));
            assertThat(loop.seen).containsExactly(1, 3);
        });
    }

    @Test
    void closedLoopFinishesItsTurnAndBeginsNoOther() {
        play(world -> {
            Requests loop = new Requests(world);
            loop.start("loop");
            loop.request();
            world.sleep(Duration.ofMillis(500));
            loop.request();
            loop.close();
            assertThat(world.await(() -> loop.hasEnded, Duration.ofMillis(100), SECOND))
                    .isTrue();
            assertThat(loop.seen).containsExactly(1);
        });
    }

    @Test
    void closeEndsAWait() {
        play(world -> {
            Requests loop = new Requests(world);
            loop.start("loop");
            world.sleep(SECOND);
            loop.close();
            assertThat(world.await(() -> loop.hasEnded, Duration.ofMillis(100), SECOND.multipliedBy(2)))
                    .isTrue();
        });
    }

    @Test
    void wakeUpDuringARestIsKeptAndCloseEndsTheRest() {
        play(world -> {
            List<Duration> turns = new ArrayList<>();
            boolean[] hasEnded = {false};
            Loop loop = new Loop(world.newNode("n").threads()) {
                @Override
                public void run() {
                    super.run();
                    hasEnded[0] = true;
                }

                @Override
                protected void turn() {
                    await();
                    turns.add(world.elapsed());
                    rest(SECOND.multipliedBy(10));
                }
            };
            loop.start("loop");
            loop.wake();
            world.sleep(SECOND);
            loop.wake();
            world.sleep(SECOND.multipliedBy(12));
            assertThat(turns).hasSize(2);
            assertThat(turns.get(1).minus(turns.get(0))).isBetween(SECOND.multipliedBy(9), SECOND.multipliedBy(11));
            loop.wake();
            loop.close();
            assertThat(world.await(() -> hasEnded[0], Duration.ofMillis(100), SECOND))
                    .isTrue();
            assertThat(turns).hasSize(2);
        });
    }
}
