package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.load.FiringCounter;
import dev.dormouse.benchmarks.load.TimerFirings;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.ResourceUsage;
import dev.dormouse.benchmarks.measure.Unit;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.TimerEngine;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;

/**
 * Timers that are all due at once: how many fire per second, from their due time (or the first early firing) to the
 * last firing.
 */
public record TimerBurst(int timers) implements Scenario {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration MARGIN = Duration.ofSeconds(2);
    private static final int ATTEMPTS = 4;

    @Override
    public List<String> names() {
        String name = "drain" + timers / 1_000 + "k";
        return Lists.joined(List.of(name, name + "-early"), ResourceUsage.names(name));
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
            FiringCounter board = new FiringCounter();
            engine.start(board::fired);
            Duration lead = MARGIN.plus(Duration.ofMillis(number * 1_000L / engine.setsPerSecond()));
            Duration timeToReadUsage = Duration.ofMillis(500);
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Instant due = Instant.now().plus(lead).truncatedTo(ChronoUnit.MILLIS);
                TimerFirings firings = board.expect(attempt * number, Collections.nCopies(number, due));
                engine.set(attempt * number, Collections.nCopies(number, due));
                ResourceUsage before = turn.usageAt(due.minus(timeToReadUsage));
                boolean inTime = Instant.now().isBefore(due);
                firings.await(PATIENCE);
                ResourceUsage used = turn.usage().since(before);
                if (inTime) {
                    return Lists.joined(readings(due, firings, number), used.perOperation(name(), number));
                }
                lead = lead.multipliedBy(2);
                timeToReadUsage = timeToReadUsage.multipliedBy(2);
            }
        }
        throw new IllegalStateException("Expected " + number + " timers to be set before they are due, but setting "
                + "them took longer each time.");
    }

    private List<Reading> readings(Instant due, TimerFirings firings, int number) {
        Instant began = firings.first().isBefore(due) ? firings.first() : due;
        double seconds = Duration.between(began, firings.last()).toNanos() / 1e9;
        return List.of(
                new Reading(name(), Unit.PER_SECOND, number / seconds),
                new Reading(name() + "-early", Unit.COUNT, firings.early()));
    }
}
