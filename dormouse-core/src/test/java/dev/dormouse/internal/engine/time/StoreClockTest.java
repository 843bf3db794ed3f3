package dev.dormouse.internal.engine.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.internal.thread.Gate;
import dev.dormouse.internal.thread.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StoreClockTest {
    /** The monotonic clock of a node and the clock of the store, which drift apart. */
    private static final class Clocks implements Threads {
        private final double rate;
        private final long offset;
        private long elapsed;
        private Duration step = Duration.ZERO;

        Clocks(Random random) {
            rate = 1 + (random.nextDouble() * 2 - 1) * 0.9e-4;
            offset = random.nextLong() >> 1;
        }

        void pass(long nanos) {
            elapsed += nanos;
        }

        Instant store() {
            return Instant.parse("2030-01-01T00:00:00Z").plusNanos(elapsed).plus(step);
        }

        @Override
        public long nanoTime() {
            return offset + (long) (elapsed * rate);
        }

        @Override
        public void startEngine(String name, Runnable body) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void startCode(String name, Runnable body) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Gate newGate() {
            throw new UnsupportedOperationException();
        }
    }

    /** Asks the store for its time, which is read at some point between request and response. */
    private static boolean ask(StoreClock clock, Clocks clocks, Random random) {
        long sent = clocks.nanoTime();
        clocks.pass(latency(random));
        Instant stamp = clocks.store().truncatedTo(java.time.temporal.ChronoUnit.MICROS);
        clocks.pass(latency(random));
        return clock.observe(stamp, sent);
    }

    private static long latency(Random random) {
        return random.nextInt(10) == 0 ? random.nextInt(2_000_000_000) : random.nextInt(2_000_000);
    }

    private static void assertContains(StoreClock clock, Clocks clocks, Object seed) {
        // the stamp is cut to a microsecond, and a monotonic clock to a nanosecond
        assertThat(clock.earliest())
                .as("seed %s", seed)
                .isBeforeOrEqualTo(clocks.store().plusNanos(10));
        assertThat(clock.latest())
                .as("seed %s", seed)
                .isAfterOrEqualTo(clocks.store().minusNanos(1_010));
    }

    @Test
    void intervalContainsTheTrueTimeUnderAnyLatencyAndDrift() {
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            Clocks clocks = new Clocks(random);
            StoreClock clock = new StoreClock(clocks);
            for (int i = 0; i < 100; i++) {
                assertThat(ask(clock, clocks, random)).as("seed %s", seed).isFalse();
                assertContains(clock, clocks, seed);
                clocks.pass(random.nextLong(20_000_000_000L));
                assertContains(clock, clocks, seed);
            }
        }
    }

    @Test
    void intervalIsNarrowSoonAfterAFastAnswer() {
        Random random = new Random(1);
        Clocks clocks = new Clocks(random);
        StoreClock clock = new StoreClock(clocks);
        for (int i = 0; i < 100; i++) {
            ask(clock, clocks, random);
        }
        long sent = clocks.nanoTime();
        clocks.pass(100_000);
        Instant stamp = clocks.store();
        clocks.pass(100_000);
        clock.observe(stamp, sent);
        assertThat(clock.width()).isLessThan(Duration.ofMillis(1));
    }

    @Test
    void stepsOfTheStoresClockAreNoticedAndFollowed() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Clocks clocks = new Clocks(random);
            StoreClock clock = new StoreClock(clocks);
            ask(clock, clocks, random);
            ask(clock, clocks, random);
            long seconds = 10L + random.nextInt(100_000);
            clocks.step = Duration.ofSeconds(random.nextBoolean() ? seconds : -seconds);
            assertThat(ask(clock, clocks, random)).as("seed %s", seed).isTrue();
            assertContains(clock, clocks, seed);
            assertThat(ask(clock, clocks, random)).as("seed %s", seed).isFalse();
            assertContains(clock, clocks, seed);
        }
    }

    @Test
    void smallStepsAreFollowedWithoutAlarm() {
        Random random = new Random(3);
        Clocks clocks = new Clocks(random);
        StoreClock clock = new StoreClock(clocks);
        for (int i = 0; i < 20; i++) {
            clock.observe(clocks.store(), clocks.nanoTime());
            clocks.step = clocks.step.plusMillis(i % 2 == 0 ? 500 : -500);
            clocks.pass(1_000_000_000);
            assertThat(clock.observe(clocks.store(), clocks.nanoTime())).isFalse();
            assertContains(clock, clocks, i);
        }
    }

    @Test
    void waitingForAnInstantEndsWhenItIsReached() {
        Random random = new Random(5);
        for (int i = 0; i < 1_000; i++) {
            Clocks clocks = new Clocks(random);
            StoreClock clock = new StoreClock(clocks);
            ask(clock, clocks, random);
            Instant instant = clocks.store().plusNanos(random.nextLong(10_000_000_000L));
            int waits = 0;
            while (!clock.hasReached(instant)) {
                clocks.pass((long) Math.ceil(clock.until(instant).toNanos() / clocks.rate));
                assertThat(++waits).isLessThan(20);
            }
            assertThat(clock.until(instant)).isEqualTo(Duration.ZERO);
        }
    }

    @Test
    void veryFarInstantsCanBeWaitedFor() {
        Clocks clocks = new Clocks(new Random(1));
        StoreClock clock = new StoreClock(clocks);
        clock.observe(clocks.store(), clocks.nanoTime());
        assertThat(clock.until(Instant.MAX)).isPositive();
        assertThat(clock.hasReached(Instant.MAX)).isFalse();
        assertThat(clock.hasReached(Instant.MIN)).isTrue();
    }
}
