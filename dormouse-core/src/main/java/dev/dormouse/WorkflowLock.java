package dev.dormouse;

import dev.dormouse.error.DormouseException;
import java.time.Duration;

/**
 * A lock between the coroutines of one run: handlers of signals and updates, coroutines of {@link Workflow#async}, and
 * the workflow method. Waiting coroutines get it in the order in which they asked. It exists only inside its run; to
 * exclude other workflows, use a queue with a limit ({@link QueueOptions#withMaxTotal}).
 *
 * <pre>{@code
 * private final WorkflowLock lock = Workflow.newLock();
 *
 * public void move(String place) { // an update handler with two steps that must not mix with another move
 *     lock.run(() -> {
 *         stock.leave(current);
 *         stock.enter(place);
 *         current = place;
 *     });
 * }
 * }</pre>
 *
 * <p>Not thread-safe: only the coroutines of its run may use it. Not reentrant: a coroutine that asks again for a lock
 * that it holds waits for itself.
 */
public interface WorkflowLock {

    /**
     * Waits until the lock is free, and takes it.
     *
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled first; the caller then
     *     does not hold the lock
     * @throws DormouseException OUTSIDE_WORKFLOW if the caller is not code of the run
     */
    void lock();

    /**
     * Waits until the lock is free, for at most {@code atMost}, and takes it. Returns false if it was not free in time.
     *
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled first
     * @throws DormouseException BAD_ARGUMENT if {@code atMost} is null; INSTANT_OUT_OF_RANGE if no store can hold the
     *     deadline; OUTSIDE_WORKFLOW if the caller is not code of the run
     */
    boolean tryLock(Duration atMost);

    /**
     * Releases the lock. The next waiting coroutine gets it.
     *
     * @throws DormouseException NOT_ALLOWED_HERE if the lock is free
     */
    void unlock();

    /** Returns true if a coroutine holds the lock. */
    boolean isLocked();

    /**
     * Runs {@code body} while holding the lock.
     *
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled before the lock is free
     * @throws DormouseException BAD_ARGUMENT if {@code body} is null; OUTSIDE_WORKFLOW if the caller is not code of the
     *     run; NOT_ALLOWED_HERE if {@code body} has released the lock
     */
    default void run(Runnable body) {
        lock();
        try {
            body.run();
        } finally {
            unlock();
        }
    }
}
