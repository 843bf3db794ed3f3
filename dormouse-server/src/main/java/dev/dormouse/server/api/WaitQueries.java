package dev.dormouse.server.api;

import dev.dormouse.error.DormouseException;
import dev.dormouse.inspect.WaitDescription;
import dev.dormouse.internal.client.RunSnapshot;
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
 * Queries that ask the code of runs what they wait for. They take at most the given time, because only a node that has the
 * code can answer, and the page of a run must not wait for a node that does not respond. If no living node has the code, no
 * question is asked.
 *
 * <p>Thread-safe. At most {@value #THREADS} questions are asked at a time and as many queue; further ones are not
 * asked. A question that takes too long keeps its thread until it is answered or gives up by itself.
 */
final class WaitQueries {
    private static final int THREADS = 8;

    private final Duration atMost;
    private final ThreadPoolExecutor pool =
            new ThreadPoolExecutor(THREADS, THREADS, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(THREADS), task -> {
                Thread thread = new Thread(task, "dormouse-api-waits");
                thread.setDaemon(true);
                return thread;
            });

    WaitQueries(Duration atMost) {
        this.atMost = atMost;
        pool.allowCoreThreadTimeOut(true);
    }

    /** Returns null if no living node has the code, none answered in time, or the question could not be asked. */
    @Nullable
    List<WaitDescription> of(RunSnapshot run) {
        try {
            Future<@Nullable List<WaitDescription>> answer = pool.submit(() -> run.canAnswer() ? run.waits() : null);
            return answer.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
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
