package dev.dormouse.benchmarks.system.dbos;

import dev.dbos.transact.DBOS;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.Mail;
import dev.dormouse.benchmarks.system.Sleeps;
import dev.dormouse.benchmarks.system.Steps;
import dev.dormouse.benchmarks.system.Timers;
import dev.dormouse.benchmarks.system.Version;
import dev.dormouse.benchmarks.system.Workflows;

/** DBOS Transact. */
public final class DbosContender {
    private DbosContender() {}

    public static Contender make() {
        return Contender.of(
                        "dbos",
                        Version.of(DBOS.class),
                        "workflows called directly, not by a queue; timers are workflows that sleep; LISTEN/NOTIFY on; pool "
                                + "of " + Contender.CONNECTIONS
                                + " connections; 100 threads on Java 17 and 2 cores, virtual "
                                + "ones from Java 21 on")
                .with(Workflows.class, DbosWorkflows::open)
                .with(Steps.class, DbosWorkflows::open)
                .with(Timers.class, DbosTimers::open)
                .with(Sleeps.class, DbosSleeps::open)
                .with(Mail.class, DbosMail::open);
    }
}
