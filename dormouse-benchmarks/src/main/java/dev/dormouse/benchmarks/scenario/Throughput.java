package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.load.Load;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.Unit;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.Steps;
import dev.dormouse.benchmarks.system.Workflows;
import java.util.List;

/** Workflows of so many steps per second, with so many in flight. One alone also tells how long it takes. */
public record Throughput(int steps, int inFlight) implements Scenario {

    @Override
    public List<String> names() {
        String name = "wf" + steps + "@" + inFlight;
        return inFlight == 1 ? List.of(name, "latency1", "latency1-p99") : List.of(name);
    }

    @Override
    public boolean suits(Contender contender) {
        return contender.can(steps == 1 ? Workflows.class : Steps.class);
    }

    @Override
    public List<Reading> play(Turn turn) throws Exception {
        try (Workflows workflows = turn.open(Workflows.class)) {
            Load.Outcome outcome = new Load(inFlight, id -> workflows.run(id, steps))
                    .run(turn.effort().warmUp(), turn.effort().window());
            Reading rate = new Reading(name(), Unit.PER_SECOND, outcome.perSecond());
            return inFlight > 1
                    ? List.of(rate)
                    : List.of(
                            rate,
                            new Reading(
                                    "latency1", Unit.MILLIS, outcome.millis().at(50)),
                            new Reading(
                                    "latency1-p99",
                                    Unit.MILLIS,
                                    outcome.millis().at(99)));
        }
    }
}
