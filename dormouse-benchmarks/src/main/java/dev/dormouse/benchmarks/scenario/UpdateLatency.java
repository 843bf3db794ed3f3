package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.load.ClosedLoopLoad;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.Unit;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.MessageEngine;
import java.util.List;

/** The time from an update request to a waiting workflow until its answer, one at a time. */
public record UpdateLatency() implements Scenario {

    @Override
    public List<String> names() {
        return List.of("update-latency", "update-latency-p50", "update-latency-p99");
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
            ClosedLoopLoad.Outcome outcome = new ClosedLoopLoad(1, id -> mail.ask("talk"))
                    .run(turn.effort().warmUp(), turn.effort().window());
            return List.of(
                    new Reading(
                            "update-latency-p50", Unit.MILLIS, outcome.millis().at(50)),
                    new Reading(
                            "update-latency-p99", Unit.MILLIS, outcome.millis().at(99)));
        }
    }
}
