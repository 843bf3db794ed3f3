package dev.dormouse.benchmarks.system.jobrunr;

import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.LibraryVersion;
import dev.dormouse.benchmarks.system.TimerEngine;
import dev.dormouse.benchmarks.system.WorkflowEngine;
import org.jobrunr.server.BackgroundJobServer;

/** JobRunr, the open-source edition. */
public final class JobRunrContender {
    private JobRunrContender() {}

    public static Contender make() {
        return Contender.of(
                        "jobrunr",
                        LibraryVersion.of(BackgroundJobServer.class),
                        "poll interval " + JobServer.POLLING.toSeconds()
                                + " s (the shortest it allows; a free worker looks "
                                + "for more at once), " + JobServer.WORKERS + " workers, pool of "
                                + Contender.CONNECTIONS + " connections, job requests with Jackson 3")
                .with(WorkflowEngine.class, JobRunrWorkflows::open)
                .with(TimerEngine.class, JobRunrTimers::open);
    }
}
