package dev.dormouse.benchmarks;

import java.io.PrintWriter;
import java.time.Duration;

/** A log of the progress on standard error. */
final class ProgressLog {
    private final PrintWriter out;
    private final long began = System.nanoTime();

    ProgressLog(PrintWriter out) {
        this.out = out;
    }

    void say(String format, Object... values) {
        Duration time = Duration.ofNanos(System.nanoTime() - began);
        out.printf("[%d:%02d] %s%n", time.toMinutes(), time.toSecondsPart(), format.formatted(values));
        out.flush();
    }
}
