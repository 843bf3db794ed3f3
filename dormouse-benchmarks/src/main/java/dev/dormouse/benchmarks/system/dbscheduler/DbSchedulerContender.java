package dev.dormouse.benchmarks.system.dbscheduler;

import com.github.kagkarlsson.scheduler.Scheduler;
import dev.dormouse.benchmarks.system.Backlog;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.Timers;
import dev.dormouse.benchmarks.system.Version;
import dev.dormouse.benchmarks.system.Workflows;

/** db-scheduler. */
public final class DbSchedulerContender {
    private DbSchedulerContender() {}

    public static Contender make() {
        return Contender.of(
                        "db-scheduler",
                        Version.of(Scheduler.class),
                        "pollUsingLockAndFetch(1.0, 4.0), immediate execution, polling every "
                                + TaskTable.POLLING.toMillis() + " ms, " + TaskTable.THREADS + " threads, pool of "
                                + Contender.CONNECTIONS + " connections, scheduleBatch for timers")
                .with(Workflows.class, DbSchedulerWorkflows::open)
                .with(Timers.class, DbSchedulerTimers::open)
                .with(Backlog.class, DbSchedulerTimers::open);
    }
}
