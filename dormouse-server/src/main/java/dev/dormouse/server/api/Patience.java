package dev.dormouse.server.api;

import java.time.Duration;

/** How long a list looks further for what fills its page. */
final class Patience {
    private static final Duration TIME = Duration.ofMillis(100);

    private final long began = System.nanoTime();

    boolean isLeft() {
        return System.nanoTime() - began < TIME.toNanos();
    }
}
