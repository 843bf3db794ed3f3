package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.load.ClosedLoopLoad;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.ResourceUsage;
import dev.dormouse.benchmarks.measure.Unit;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.StepEngine;
import dev.dormouse.benchmarks.system.WorkflowEngine;
import java.util.List;

/**
 * Workflows per second with a fixed number of steps and of workflows in flight. With one in flight it also measures the
 * latency.
 */
public record Throughput(int steps, int inFlight) implements Scenario {

    @Override
    public List<String> names() {
        String name = "wf" + steps + "@" + inFlight;
        return Lists.joined(
                inFlight == 1 ? List.of(name, "latency1", "latency1-p99") : List.of(name), ResourceUsage.names(name));
    }

    @Override
    public boolean suits(Contender contender) {
        return contender.can(steps == 1 ? WorkflowEngine.class : StepEngine.class);
    }

    @Override
    public List<Reading> play(Turn turn) throws Exception {
        try (WorkflowEngine workflows = turn.open(WorkflowEngine.class)) {
            ClosedLoopLoad.Outcome outcome = turn.load(inFlight, id -> workflows.run(id, steps));
            Reading rate = new Reading(name(), Unit.PER_SECOND, outcome.perSecond());
            List<Reading> readings = inFlight > 1
                    ? List.of(rate)
                    : List.of(
                            rate,
                            new Reading(
                                    "latency1", Unit.MILLIS, outcome.millis().at(50)),
                            new Reading(
                                    "latency1-p99",
                                    Unit.MILLIS,
                                    outcome.millis().at(99)));
            return Lists.joined(readings, outcome.perOperation(name()));
        }
    }
}
