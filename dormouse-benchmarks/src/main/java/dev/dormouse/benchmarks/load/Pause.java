package dev.dormouse.benchmarks.load;

import java.time.Duration;
import java.time.Instant;

/** A wait while other threads work. */
public final class Pause {
    private Pause() {}

    public static void of(Duration time) throws InterruptedException {
        Thread.sleep(Math.max(0, time.toMillis()));
    }

    public static void until(Instant instant) throws InterruptedException {
        of(Duration.between(Instant.now(), instant));
    }
}
