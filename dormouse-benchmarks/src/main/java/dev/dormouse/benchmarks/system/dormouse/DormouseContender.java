package dev.dormouse.benchmarks.system.dormouse;

import dev.dormouse.Dormouse;
import dev.dormouse.benchmarks.system.Backlog;
import dev.dormouse.benchmarks.system.Batched;
import dev.dormouse.benchmarks.system.Claims;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.Mail;
import dev.dormouse.benchmarks.system.Nodes;
import dev.dormouse.benchmarks.system.Sleeps;
import dev.dormouse.benchmarks.system.Steps;
import dev.dormouse.benchmarks.system.Timers;
import dev.dormouse.benchmarks.system.Version;
import dev.dormouse.benchmarks.system.Workflows;
import dev.dormouse.benchmarks.system.dormouse.node.DormouseNodes;

/** Dormouse as it is when nothing is set but the store. */
public final class DormouseContender {
    private DormouseContender() {}

    public static Contender make() {
        return Contender.of("dormouse", Version.of(Dormouse.class), "all defaults; up to 9 connections of its own")
                .with(Workflows.class, DormouseWorkflows::open)
                .with(Steps.class, DormouseWorkflows::open)
                .with(Timers.class, DormouseTimers::open)
                .with(Backlog.class, DormouseTimers::open)
                .with(Sleeps.class, DormouseSleeps::open)
                .with(Mail.class, DormouseMail::open)
                .with(Batched.class, DormouseBatched::open)
                .with(Claims.class, DormouseClaims::open)
                .with(Nodes.class, DormouseNodes::open);
    }
}
