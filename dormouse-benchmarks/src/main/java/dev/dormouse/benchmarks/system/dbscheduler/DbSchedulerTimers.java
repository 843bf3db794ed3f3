package dev.dormouse.benchmarks.system.dbscheduler;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.SchedulableInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.system.BacklogTimerEngine;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/** db-scheduler tasks that are due later, scheduled in batches. */
final class DbSchedulerTimers implements BacklogTimerEngine {
    private static final int BATCH = 1_000;

    private final HikariDataSource pool;
    private final OneTimeTask<Void> task = Tasks.oneTime("fire").execute((instance, context) -> fire(instance.getId()));
    private final Scheduler scheduler;
    private volatile IntConsumer fired = number -> {};

    private DbSchedulerTimers(HikariDataSource pool) {
        this.pool = pool;
        this.scheduler = TaskTable.settings(pool, task).build();
    }

    static DbSchedulerTimers open(BenchDatabase database) throws SQLException {
        return new DbSchedulerTimers(TaskTable.pool(database));
    }

    private void fire(String id) {
        fired.accept(Integer.parseInt(id));
    }

    @Override
    public void start(IntConsumer toCall) {
        fired = toCall;
        scheduler.start();
    }

    @Override
    public void set(int first, List<Instant> due) {
        for (int from = 0; from < due.size(); from += BATCH) {
            List<SchedulableInstance<?>> batch = new ArrayList<>();
            for (int i = from; i < Math.min(from + BATCH, due.size()); i++) {
                batch.add(SchedulableInstance.of(task.instance(String.valueOf(first + i)), due.get(i)));
            }
            scheduler.scheduleBatch(batch);
        }
    }

    @Override
    public int setsPerSecond() {
        return 5_000;
    }

    @Override
    public void close() {
        scheduler.stop();
        pool.close();
    }
}
