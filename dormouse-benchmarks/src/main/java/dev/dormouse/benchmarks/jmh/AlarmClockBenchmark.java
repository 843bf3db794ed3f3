package dev.dormouse.benchmarks.jmh;

import dev.dormouse.alarm.AlarmClock;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A clock that is as full as it gets: something is armed, time goes on, and what has passed is taken out. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AlarmClockBenchmark {
    private static final int FURTHEST_MILLIS = 60_000;

    /** How many alarms it keeps; a node's keeps a thousand. */
    @Param({"100", "1000", "10000"})
    public int capacity;

    private final Random random = new Random(42);
    private AlarmClock clock = new AlarmClock(1);
    private Instant now = Instant.EPOCH;

    @Setup
    public void fill() {
        clock = new AlarmClock(capacity);
        for (int i = 0; i < capacity; i++) {
            clock.arm(some());
        }
    }

    @Benchmark
    public boolean arm() {
        return clock.arm(some());
    }

    @Benchmark
    public List<Instant> armAndExpire() {
        clock.arm(some());
        now = now.plusMillis(FURTHEST_MILLIS / 2 / capacity + 1);
        return clock.expire(now);
    }

    @Benchmark
    public Instant next() {
        return clock.next();
    }

    private Instant some() {
        return now.plusNanos((random.nextInt(FURTHEST_MILLIS) + 1) * 1_000_000L);
    }
}
