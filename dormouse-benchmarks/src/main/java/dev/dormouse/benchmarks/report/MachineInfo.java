package dev.dormouse.benchmarks.report;

import java.lang.management.ManagementFactory;
import java.util.Locale;

/** A description of the machine on which the benchmark runs. */
public final class MachineInfo {
    private MachineInfo() {}

    public static String describe() {
        Runtime runtime = Runtime.getRuntime();
        return String.format(
                Locale.ROOT,
                "%d cores, %s %s, Java %s, heap up to %,d MB, load average %s",
                runtime.availableProcessors(),
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                System.getProperty("java.version"),
                runtime.maxMemory() >> 20,
                load());
    }

    /** Returns the load average of the last minute: the load of other processes is part of the noise. */
    public static String load() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return load < 0 ? "unknown" : FigureFormat.text(load);
    }
}
