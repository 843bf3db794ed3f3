package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.load.Load;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.Unit;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.Mail;
import java.util.List;

/** From a question to a waiting workflow until its answer is there, one at a time. */
public record UpdateLatency() implements Scenario {

    @Override
    public List<String> names() {
        return List.of("update-latency", "update-latency-p50", "update-latency-p99");
    }

    @Override
    public boolean suits(Contender contender) {
        return contender.can(Mail.class);
    }

    @Override
    public Length length() {
        return Length.LONG;
    }

    @Override
    public List<Reading> play(Turn turn) throws Exception {
        try (Mail mail = turn.open(Mail.class)) {
            mail.begin("talk");
            Load.Outcome outcome = new Load(1, id -> mail.ask("talk"))
                    .run(turn.effort().warmUp(), turn.effort().window());
            return List.of(
                    new Reading(
                            "update-latency-p50", Unit.MILLIS, outcome.millis().at(50)),
                    new Reading(
                            "update-latency-p99", Unit.MILLIS, outcome.millis().at(99)));
        }
    }
}
