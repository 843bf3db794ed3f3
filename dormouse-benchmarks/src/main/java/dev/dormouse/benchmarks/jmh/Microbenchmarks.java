package dev.dormouse.benchmarks.jmh;

import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** A program that runs all microbenchmarks, each in its own process. */
public final class Microbenchmarks {
    private Microbenchmarks() {}

    public static void run(boolean quick) throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(Microbenchmarks.class.getPackageName() + "\\..*")
                .forks(1)
                .warmupIterations(quick ? 2 : 5)
                .measurementIterations(quick ? 3 : 5)
                .warmupTime(TimeValue.seconds(1))
                .measurementTime(TimeValue.seconds(1));
        new Runner(options.build()).run();
    }
}
