package dev.dormouse.benchmarks.system.jobrunr;

import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.server.JobActivator;

/** A job activator for a single handler. */
record OneHandler(JobRequestHandler<?> handler) implements JobActivator {
    @Override
    public <T> T activateJob(Class<T> type) {
        return type.cast(handler);
    }
}
