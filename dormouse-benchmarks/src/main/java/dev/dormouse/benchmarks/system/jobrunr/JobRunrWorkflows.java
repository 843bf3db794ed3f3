package dev.dormouse.benchmarks.system.jobrunr;

import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.system.WorkflowEngine;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.filters.ApplyStateFilter;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.jobs.states.JobState;
import org.jobrunr.jobs.states.StateName;
import org.jspecify.annotations.Nullable;

/** JobRunr jobs that are enqueued at once; a job is over when its success is stored. */
public final class JobRunrWorkflows implements WorkflowEngine {
    private final Map<UUID, CompletableFuture<@Nullable Void>> waiting = new ConcurrentHashMap<>();
    private final JobServer server;

    private JobRunrWorkflows(BenchDatabase database) {
        Handler handler = new Handler();
        this.server = new JobServer(database, new OneHandler(handler), List.of((ApplyStateFilter) this::applied));
        server.start();
    }

    static JobRunrWorkflows open(BenchDatabase database) {
        return new JobRunrWorkflows(database);
    }

    private void applied(Job job, JobState before, JobState now) {
        CompletableFuture<@Nullable Void> end =
                now.getName() == StateName.SUCCEEDED ? waiting.remove(job.getId()) : null;
        if (end != null) {
            end.complete(null);
        }
    }

    @Override
    public void run(String id, int steps) throws Exception {
        UUID job = UUID.nameUUIDFromBytes(id.getBytes(StandardCharsets.UTF_8));
        CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
        waiting.put(job, end);
        server.scheduler().enqueue(job, new Step());
        end.get();
    }

    @Override
    public void close() {
        server.close();
    }

    /** A job. */
    public static final class Step implements JobRequest {
        @Override
        public Class<Handler> getJobRequestHandler() {
            return Handler.class;
        }
    }

    /** The handler of the job. */
    public static final class Handler implements JobRequestHandler<Step> {
        @Override
        public void run(Step step) {
            // an empty step, as for all systems
        }
    }
}
