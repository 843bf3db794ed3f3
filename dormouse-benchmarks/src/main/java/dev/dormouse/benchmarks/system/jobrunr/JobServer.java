package dev.dormouse.benchmarks.system.jobrunr;

import com.zaxxer.hikari.HikariDataSource;
import dev.dormouse.benchmarks.database.Database;
import dev.dormouse.benchmarks.system.Pool;
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

/** One server of JobRunr, with its storage and what puts jobs into it. */
final class JobServer implements AutoCloseable {
    static final Duration POLLING = Duration.ofSeconds(5);
    static final int WORKERS = 100;

    private final HikariDataSource pool;
    private final PostgresStorageProvider storage;
    private final JobRequestScheduler scheduler;
    private final BackgroundJobServer server;

    JobServer(Database database, JobActivator handlers, List<JobFilter> filters) {
        this.pool = Pool.to(database);
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
