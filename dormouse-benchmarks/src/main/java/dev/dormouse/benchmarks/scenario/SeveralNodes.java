package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.load.ParallelThreads;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.Unit;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.NodeProcess;
import dev.dormouse.benchmarks.system.NodeProcesses;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.DoubleAdder;

/** One-step workflows per second by several processes on one database, with {@code inFlight} in flight in total. */
public record SeveralNodes(int processes, int inFlight) implements Scenario {

    @Override
    public List<String> names() {
        return List.of("nodes" + processes);
    }

    @Override
    public boolean suits(Contender contender) {
        return contender.can(NodeProcesses.class);
    }

    @Override
    public boolean needsServer() {
        return true;
    }

    @Override
    public TurnLength length() {
        return TurnLength.LONG;
    }

    @Override
    public List<Reading> play(Turn turn) throws Exception {
        DoubleAdder perSecond = new DoubleAdder();
        try (NodeProcesses nodes = turn.open(NodeProcesses.class)) {
            List<NodeProcess> all = new ArrayList<>();
            for (int i = 0; i < processes; i++) {
                all.add(nodes.launch());
            }
            // new processes have not compiled anything yet
            ParallelThreads.each(
                    processes,
                    processes,
                    i -> perSecond.add(all.get(i)
                            .load(
                                    inFlight / processes,
                                    turn.effort().warmUp().multipliedBy(5),
                                    turn.effort().window())));
        }
        return List.of(new Reading(name(), Unit.PER_SECOND, perSecond.sum()));
    }
}
