package dev.dormouse.benchmarks.system.dormouse.node;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** The resource usage of this process. */
final class ProcessUsage {
    private static final Path STATUS = Path.of("/proc/self/status");

    private ProcessUsage() {}

    /** Returns the heap after a garbage collection, the resident memory and the number of threads. */
    static String now() throws IOException {
        System.gc();
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        return heap + " " + rss() + " " + ManagementFactory.getThreadMXBean().getThreadCount();
    }

    private static long rss() throws IOException {
        if (!Files.exists(STATUS)) {
            return 0;
        }
        return Files.readAllLines(STATUS).stream()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .map(line -> line.replaceAll("\\D", ""))
                        .mapToLong(Long::parseLong)
                        .findFirst()
                        .orElse(0)
                * 1024;
    }
}
