package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.load.EvenInstants;
import dev.dormouse.benchmarks.load.ParallelThreads;
import dev.dormouse.benchmarks.load.Pause;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.ResourceUsage;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.SleepEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The lateness of a thousand workflows that sleep for 2 s, one started every 10 ms. */
public record SleepLateness(int sleeps, Duration over) implements Scenario {
    private static final String NAME = "sleep-lateness";
    private static final Duration SLEEP = Duration.ofSeconds(2);

    @Override
    public List<String> names() {
        return LatenessReadings.names(NAME);
    }

    @Override
    public boolean suits(Contender contender) {
        return contender.can(SleepEngine.class);
    }

    @Override
    public TurnLength length() {
        return TurnLength.LONG;
    }

    @Override
    public List<Reading> play(Turn turn) throws Exception {
        int number = turn.effort().atMost(sleeps);
        List<Double> millis = Collections.synchronizedList(new ArrayList<>());
        try (SleepEngine engine = turn.open(SleepEngine.class)) {
            List<Instant> starts = EvenInstants.of(Instant.now().plusSeconds(1), number, over);
            ResourceUsage before = turn.usage();
            try (ParallelThreads crowd = ParallelThreads.of(number, i -> {
                Pause.until(starts.get(i));
                millis.add(engine.sleep("sleep-" + i, SLEEP).toNanos() / 1e6);
            })) {
                crowd.await();
            }
            ResourceUsage used = turn.usage().since(before);
            return Lists.joined(LatenessReadings.of(NAME, List.copyOf(millis)), used.perOperation(NAME, number));
        }
    }
}
