package dev.dormouse.benchmarks.profile;

import java.io.IOException;
import one.profiler.AsyncProfiler;
import one.profiler.Counter;

/**
 * Looks many times a second at what the threads of this process do that have a processor: in Java, in the virtual machine
 * and, where the system tells it, in the kernel. Threads that wait are not seen.
 */
final class Sampler {
    private static final String OPTIONS = "event=cpu,interval=500us";

    private final AsyncProfiler profiler;

    private Sampler(AsyncProfiler profiler) {
        this.profiler = profiler;
    }

    static Sampler start() {
        try {
            AsyncProfiler profiler = AsyncProfiler.getInstance();
            profiler.execute("start," + OPTIONS);
            return new Sampler(profiler);
        } catch (IOException | IllegalStateException | UnsatisfiedLinkError e) {
            throw new IllegalStateException(
                    "Expected to profile, which works on Linux and macOS, but: " + e.getMessage(), e);
        }
    }

    /** Stops, and tells what was seen: a stack, outermost first, and how often, in each line. */
    String stop() {
        profiler.stop();
        return profiler.dumpCollapsed(Counter.SAMPLES);
    }
}
