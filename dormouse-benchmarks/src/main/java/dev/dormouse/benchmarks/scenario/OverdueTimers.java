package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.load.TimerFirings;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.ResourceUsage;
import dev.dormouse.benchmarks.measure.Unit;
import dev.dormouse.benchmarks.system.BacklogTimerEngine;
import dev.dormouse.benchmarks.system.Contender;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;

/** A node that starts when many timers are overdue: how many fire per second, and when the first one fires. */
public record OverdueTimers(int timers) implements Scenario {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Override
    public List<String> names() {
        String name = "backlog" + timers / 1_000 + "k";
        return Lists.joined(List.of(name, name + "-first"), ResourceUsage.names(name));
    }

    @Override
    public boolean suits(Contender contender) {
        return contender.can(BacklogTimerEngine.class);
    }

    @Override
    public TurnLength length() {
        return TurnLength.ONCE;
    }

    @Override
    public List<Reading> play(Turn turn) throws Exception {
        int number = turn.effort().atMost(timers);
        try (BacklogTimerEngine engine = turn.open(BacklogTimerEngine.class)) {
            List<Instant> due = Collections.nCopies(number, Instant.now());
            engine.set(0, due);
            TimerFirings firings = new TimerFirings(due);
            ResourceUsage before = turn.usage();
            Instant started = Instant.now();
            engine.start(firings::fired);
            firings.await(PATIENCE);
            ResourceUsage used = turn.usage().since(before);
            return Lists.joined(
                    List.of(
                            new Reading(name(), Unit.PER_SECOND, number / seconds(started, firings.last())),
                            new Reading(name() + "-first", Unit.SECONDS, seconds(started, firings.first()))),
                    used.perOperation(name(), number));
        }
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toNanos() / 1e9;
    }
}
