package dev.dormouse.benchmarks.jmh;

import dev.dormouse.internal.engine.time.AlarmClock;
import java.time.Instant;
import java.util.ArrayList;
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

/** An alarm clock that is about half full: an alarm is armed, time passes, and due alarms are taken out. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AlarmClockBenchmark {
    private static final long FURTHEST_NANOS = 60_000_000_000L;

    /** The capacity of the clock; the default of a node is a thousand. */
    @Param({"100", "1000", "10000"})
    public int capacity;

    private final Random random = new Random(42);
    private AlarmClock clock = new AlarmClock(1);
    private Instant now = Instant.EPOCH;

    @Setup
    public void fill() {
        clock = new AlarmClock(capacity);
        readAhead();
    }

    /** Measures the steady state of a node. As in a node, the clock has to be refilled occasionally. */
    @Benchmark
    public List<Instant> armAndExpire() {
        clock.arm(some());
        now = now.plusNanos(FURTHEST_NANOS / capacity);
        if (clock.mustReadAhead(now)) {
            readAhead();
        }
        return clock.expire(now);
    }

    @Benchmark
    public Instant next() {
        return clock.next();
    }

    private void readAhead() {
        clock.beginReadAhead();
        List<Instant> nearest = new ArrayList<>();
        for (int i = 0; i < capacity / 2; i++) {
            nearest.add(some());
        }
        clock.readAhead(nearest, now.plusNanos(FURTHEST_NANOS));
    }

    private Instant some() {
        return now.plusNanos(random.nextLong(FURTHEST_NANOS) + 1);
    }
}
