package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.load.EvenInstants;
import dev.dormouse.benchmarks.load.TimerFirings;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.ResourceUsage;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.TimerEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The lateness of a thousand timers, one every 10 ms, on an idle node. */
public record TimerLateness(int timers, Duration over) implements Scenario {
    private static final String NAME = "lateness";
    private static final Duration LEAD = Duration.ofSeconds(3);
    private static final Duration TIME_TO_READ_USAGE = Duration.ofMillis(500);

    @Override
    public List<String> names() {
        return LatenessReadings.names(NAME);
    }

    @Override
    public boolean suits(Contender contender) {
        return contender.can(TimerEngine.class);
    }

    @Override
    public TurnLength length() {
        return TurnLength.LONG;
    }

    @Override
    public List<Reading> play(Turn turn) throws Exception {
        int number = turn.effort().atMost(timers);
        try (TimerEngine engine = turn.open(TimerEngine.class)) {
            List<Instant> due = EvenInstants.of(Instant.now().plus(LEAD), number, over);
            TimerFirings firings = new TimerFirings(due);
            engine.start(firings::fired);
            engine.set(0, due);
            ResourceUsage before = turn.usageAt(due.get(0).minus(TIME_TO_READ_USAGE));
            firings.await(over.plusMinutes(1));
            ResourceUsage used = turn.usage().since(before);
            return Lists.joined(LatenessReadings.of(NAME, firings.lateness()), used.perOperation(NAME, number));
        }
    }
}
