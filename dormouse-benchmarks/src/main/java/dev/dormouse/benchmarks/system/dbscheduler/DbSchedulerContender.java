package dev.dormouse.benchmarks.system.dbscheduler;

import com.github.kagkarlsson.scheduler.Scheduler;
import dev.dormouse.benchmarks.system.BacklogTimerEngine;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.LibraryVersion;
import dev.dormouse.benchmarks.system.TimerEngine;
import dev.dormouse.benchmarks.system.WorkflowEngine;

/** db-scheduler. */
public final class DbSchedulerContender {
    private DbSchedulerContender() {}

    public static Contender make() {
        return Contender.of(
                        "db-scheduler",
                        LibraryVersion.of(Scheduler.class),
                        "pollUsingLockAndFetch(1.0, 4.0), immediate execution, polling every "
                                + TaskTable.POLLING.toMillis() + " ms, " + TaskTable.THREADS + " threads, pool of "
                                + Contender.CONNECTIONS + " connections, scheduleBatch for timers")
                .with(WorkflowEngine.class, DbSchedulerWorkflows::open)
                .with(TimerEngine.class, DbSchedulerTimers::open)
                .with(BacklogTimerEngine.class, DbSchedulerTimers::open);
    }
}
