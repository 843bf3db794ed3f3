package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.load.Firings;
import dev.dormouse.benchmarks.load.Staircase;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A thousand timers, one every 10 ms, while nothing else goes on. */
public record TimerLateness(int timers, Duration over) implements Scenario {
    private static final String NAME = "lateness";
    private static final Duration LEAD = Duration.ofSeconds(3);

    @Override
    public List<String> names() {
        return LatenessReadings.names(NAME);
    }

    @Override
    public boolean suits(Contender contender) {
        return contender.can(Timers.class);
    }

    @Override
    public Length length() {
        return Length.LONG;
    }

    @Override
    public List<Reading> play(Turn turn) throws Exception {
        int number = turn.effort().atMost(timers);
        try (Timers engine = turn.open(Timers.class)) {
            List<Instant> due = Staircase.of(Instant.now().plus(LEAD), number, over);
            Firings firings = new Firings(due);
            engine.start(firings::fired);
            engine.set(0, due);
            firings.await(over.plusMinutes(1));
            return LatenessReadings.of(NAME, firings.lateness());
        }
    }
}
