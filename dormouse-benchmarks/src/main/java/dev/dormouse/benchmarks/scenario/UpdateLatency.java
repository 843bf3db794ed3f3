package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.load.ClosedLoopLoad;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.ResourceUsage;
import dev.dormouse.benchmarks.measure.Unit;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.MessageEngine;
import java.util.List;

/** The time from an update request to a waiting workflow until its answer, one at a time. */
public record UpdateLatency() implements Scenario {
    private static final String NAME = "update-latency";

    @Override
    public List<String> names() {
        return Lists.joined(List.of(NAME, NAME + "-p50", NAME + "-p99"), ResourceUsage.names(NAME));
    }

    @Override
    public boolean suits(Contender contender) {
        return contender.can(MessageEngine.class);
    }

    @Override
    public TurnLength length() {
        return TurnLength.LONG;
    }

    @Override
    public List<Reading> play(Turn turn) throws Exception {
        try (MessageEngine mail = turn.open(MessageEngine.class)) {
            mail.begin("talk");
            ClosedLoopLoad.Outcome outcome = turn.load(1, id -> mail.ask("talk"));
            return Lists.joined(
                    List.of(
                            new Reading(
                                    NAME + "-p50", Unit.MILLIS, outcome.millis().at(50)),
                            new Reading(
                                    NAME + "-p99", Unit.MILLIS, outcome.millis().at(99))),
                    outcome.perOperation(NAME));
        }
    }
}
