package dev.dormouse.benchmarks.system.dbscheduler;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.zaxxer.hikari.HikariDataSource;
import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.system.ConnectionPools;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** The db-scheduler table and settings. */
final class TaskTable {
    static final int THREADS = 50;
    static final Duration POLLING = Duration.ofMillis(100);

    private static final String TABLE = """
            create table scheduled_tasks (
              task_name text not null,
              task_instance text not null,
              task_data bytea,
              execution_time timestamp with time zone not null,
              picked boolean not null,
              picked_by text,
              last_success timestamp with time zone,
              last_failure timestamp with time zone,
              consecutive_failures int,
              last_heartbeat timestamp with time zone,
              version bigint not null,
              priority smallint,
              primary key (task_name, task_instance)
            );
            create index execution_time_idx on scheduled_tasks (execution_time);
            create index last_heartbeat_idx on scheduled_tasks (last_heartbeat);
            create index priority_execution_time_idx on scheduled_tasks (priority desc, execution_time asc);
            """;

    private TaskTable() {}

    static HikariDataSource pool(BenchDatabase database) throws SQLException {
        HikariDataSource pool = ConnectionPools.to(database);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
        }
        return pool;
    }

    static SchedulerBuilder settings(HikariDataSource pool, OneTimeTask<?> task) {
        return Scheduler.create(pool, task)
                .schedulerName(new SchedulerName.Fixed("bench"))
                .threads(THREADS)
                .pollingInterval(POLLING)
                .pollUsingLockAndFetch(1.0, 4.0)
                .enableImmediateExecution()
                .shutdownMaxWait(Duration.ofSeconds(5));
    }
}
