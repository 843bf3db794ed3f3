package dev.dormouse.benchmarks.system.dbscheduler;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.event.AbstractSchedulerListener;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.system.WorkflowEngine;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A db-scheduler task that is due now; it is over when its row is removed. */
final class DbSchedulerWorkflows implements WorkflowEngine {
    private final HikariDataSource pool;
    private final OneTimeTask<Void> task = Tasks.oneTime("step").execute((instance, context) -> {});
    private final Map<String, CompletableFuture<@Nullable Void>> waiting = new ConcurrentHashMap<>();
    private final Scheduler scheduler;

    private DbSchedulerWorkflows(HikariDataSource pool) {
        this.pool = pool;
        this.scheduler = TaskTable.settings(pool, task)
                .addSchedulerListener(new AbstractSchedulerListener() {
                    @Override
                    public void onExecutionComplete(ExecutionComplete end) {
                        ended(end.getExecution().taskInstance.getId());
                    }
                })
                .build();
        scheduler.start();
    }

    static DbSchedulerWorkflows open(BenchDatabase database) throws SQLException {
        return new DbSchedulerWorkflows(TaskTable.pool(database));
    }

    private void ended(String id) {
        CompletableFuture<@Nullable Void> end = waiting.remove(id);
        if (end != null) {
            end.complete(null);
        }
    }

    @Override
    public void run(String id, int steps) throws Exception {
        CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
        waiting.put(id, end);
        scheduler.scheduleIfNotExists(task.instance(id), Instant.now());
        end.get();
    }

    @Override
    public void close() {
        scheduler.stop();
        pool.close();
    }
}
