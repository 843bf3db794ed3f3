package dev.dormouse.benchmarks.system;

import java.util.function.Supplier;

/** The calls that steps make, without the steps. */
public final class PlainCalls {
    private static final int CALLS = 10;
    private static volatile Supplier<String> step = () -> "done";

    private PlainCalls() {}

    /** Makes ten calls whose target is not known at compile time. */
    public static String ten() {
        String last = "";
        for (int i = 0; i < CALLS; i++) {
            last = step.get();
        }
        return last;
    }
}
