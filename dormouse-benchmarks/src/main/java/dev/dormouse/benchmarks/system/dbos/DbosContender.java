package dev.dormouse.benchmarks.system.dbos;

import dev.dbos.transact.DBOS;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.LibraryVersion;
import dev.dormouse.benchmarks.system.MessageEngine;
import dev.dormouse.benchmarks.system.SleepEngine;
import dev.dormouse.benchmarks.system.StepEngine;
import dev.dormouse.benchmarks.system.TimerEngine;
import dev.dormouse.benchmarks.system.WorkflowEngine;

/** DBOS Transact. */
public final class DbosContender {
    private DbosContender() {}

    public static Contender make() {
        return Contender.of(
                        "dbos",
                        LibraryVersion.of(DBOS.class),
                        "workflows called directly, not by a queue; timers are workflows that sleep; LISTEN/NOTIFY on; pool "
                                + "of " + Contender.CONNECTIONS
                                + " connections; 100 threads on Java 17 and 2 cores, virtual "
                                + "ones from Java 21 on")
                .with(WorkflowEngine.class, DbosWorkflows::open)
                .with(StepEngine.class, DbosWorkflows::open)
                .with(TimerEngine.class, DbosTimers::open)
                .with(SleepEngine.class, DbosSleeps::open)
                .with(MessageEngine.class, DbosMail::open);
    }
}
