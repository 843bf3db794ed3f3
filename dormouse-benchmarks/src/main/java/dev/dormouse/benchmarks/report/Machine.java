package dev.dormouse.benchmarks.report;

/** Where all this was measured. */
public final class Machine {
    private Machine() {}

    public static String describe() {
        Runtime runtime = Runtime.getRuntime();
        return "%d cores, %s %s, Java %s (%s), heap up to %,d MB"
                .formatted(
                        runtime.availableProcessors(),
                        System.getProperty("os.name"),
                        System.getProperty("os.arch"),
                        System.getProperty("java.version"),
                        System.getProperty("java.vendor"),
                        runtime.maxMemory() >> 20);
    }
}
