package dev.dormouse.benchmarks.system.dormouse;

import dev.dormouse.Dormouse;
import dev.dormouse.benchmarks.system.BacklogTimerEngine;
import dev.dormouse.benchmarks.system.BatchedEngine;
import dev.dormouse.benchmarks.system.ClaimEngine;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.LibraryVersion;
import dev.dormouse.benchmarks.system.MessageEngine;
import dev.dormouse.benchmarks.system.NodeProcesses;
import dev.dormouse.benchmarks.system.SleepEngine;
import dev.dormouse.benchmarks.system.StepEngine;
import dev.dormouse.benchmarks.system.TimerEngine;
import dev.dormouse.benchmarks.system.WorkflowEngine;
import dev.dormouse.benchmarks.system.dormouse.node.DormouseNodes;

/** Dormouse with default settings; only the store is set. */
public final class DormouseContender {
    private DormouseContender() {}

    public static Contender make() {
        return Contender.of(
                        "dormouse", LibraryVersion.of(Dormouse.class), "all defaults; up to 9 connections of its own")
                .with(WorkflowEngine.class, DormouseWorkflows::open)
                .with(StepEngine.class, DormouseWorkflows::open)
                .with(TimerEngine.class, DormouseTimers::open)
                .with(BacklogTimerEngine.class, DormouseTimers::open)
                .with(SleepEngine.class, DormouseSleeps::open)
                .with(MessageEngine.class, DormouseMail::open)
                .with(BatchedEngine.class, DormouseBatched::open)
                .with(ClaimEngine.class, DormouseClaims::open)
                .with(NodeProcesses.class, DormouseNodes::open);
    }
}
