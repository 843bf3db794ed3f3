package dev.dormouse.benchmarks.profile;

import java.io.IOException;
import one.profiler.AsyncProfiler;
import one.profiler.Counter;

/**
 * A profiler that samples, many times a second, the threads of this process that run on a processor: in Java, in the
 * virtual machine and, if the system allows it, in the kernel. Waiting threads are not sampled.
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

    /** Stops sampling. Returns one stack per line, outermost frame first, with its number of samples. */
    String stop() {
        profiler.stop();
        return profiler.dumpCollapsed(Counter.SAMPLES);
    }
}
