package dev.dormouse.server.api;

import dev.dormouse.WaitDescription;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks what a run waits for, and not for long: some node must have the code, and a page must not wait for one that never
 * comes.
 */
final class Waiting {
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final int THREADS = 8;

    private final ThreadPoolExecutor pool =
            new ThreadPoolExecutor(THREADS, THREADS, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(THREADS), task -> {
                Thread thread = new Thread(task, "dormouse-api-waits");
                thread.setDaemon(true);
                return thread;
            });

    Waiting() {
        pool.allowCoreThreadTimeOut(true);
    }

    /** Null where nobody could tell. */
    @Nullable
    List<WaitDescription> of(WorkflowHandle<?> run) {
        try {
            Future<List<WaitDescription>> answer = pool.submit(run::waits);
            return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException | TimeoutException tooSlow) {
            return null;
        } catch (ExecutionException refused) {
            if (refused.getCause() instanceof DormouseException) {
                return null;
            }
            throw new IllegalStateException(refused.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
