package dev.dormouse.benchmarks.system.jobrunr;

import com.zaxxer.hikari.HikariDataSource;
import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.system.ConnectionPools;
import java.time.Duration;
import java.util.List;
import org.jobrunr.jobs.filters.JobFilter;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;

/** A JobRunr server with its storage and its job scheduler. */
final class JobServer implements AutoCloseable {
    static final Duration POLLING = Duration.ofSeconds(5);
    static final int WORKERS = 100;

    private final HikariDataSource pool;
    private final PostgresStorageProvider storage;
    private final JobRequestScheduler scheduler;
    private final BackgroundJobServer server;

    JobServer(BenchDatabase database, JobActivator handlers, List<JobFilter> filters) {
        this.pool = ConnectionPools.to(database);
        this.storage = new PostgresStorageProvider(pool);
        Jackson3JsonMapper json = new Jackson3JsonMapper();
        storage.setJobMapper(new JobMapper(json));
        this.scheduler = new JobRequestScheduler(storage);
        this.server = new BackgroundJobServer(
                storage,
                json,
                handlers,
                BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                        .andPollInterval(POLLING)
                        .andWorkerCount(WORKERS)
                        .andInterruptJobsAwaitDurationOnStopBackgroundJobServer(Duration.ofSeconds(2)));
        server.setJobFilters(filters);
    }

    void start() {
        server.start();
    }

    JobRequestScheduler scheduler() {
        return scheduler;
    }

    @Override
    public void close() {
        if (server.isRunning()) {
            server.stop();
        }
        scheduler.shutdown();
        storage.close();
        pool.close();
    }
}
