package dev.dormouse.benchmarks.scenario;

import java.time.Duration;

/** Waiting while others work. */
final class Pause {
    private Pause() {}

    static void of(Duration time) throws InterruptedException {
        Thread.sleep(time.toMillis());
    }
}
