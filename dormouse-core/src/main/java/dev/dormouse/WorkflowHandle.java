package dev.dormouse;

import dev.dormouse.error.UpdateFailedException;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.inspect.HistoryEvent;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.WaitDescription;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A handle to a run, or to the latest run of a workflow id. Thread-safe. Holds no resources unless a caller waits for
 * the result.
 *
 * <p>In addition to the codes that a method names, every method that accesses the store throws
 * {@link dev.dormouse.error.DormouseException} with one of these codes: NOT_ALLOWED_HERE in workflow code;
 * DORMOUSE_CLOSED after the Dormouse was closed; READ_ONLY for a change, if it was opened read-only; RUN_NOT_FOUND if
 * the run was deleted after its retention; STORE_UNAVAILABLE if the store does not respond; BAD_ARGUMENT for a null or
 * invalid argument.
 */
public interface WorkflowHandle<R> {

    /** Returns the workflow id. */
    String workflowId();

    /**
     * Returns the id of the run. Does not access the store, except on a handle from {@link Dormouse#handle(String)},
     * which refers to the latest run.
     */
    UUID runId();

    /**
     * Waits until the run ends, and returns its result; null if the workflow returned null or has no result. If the run
     * has continued as new, waits for the last run of the chain.
     *
     * @throws WorkflowException RUN_FAILED, RUN_TERMINATED, RUN_TIMED_OUT or RUN_CANCELLED if it ended without a
     *     result
     * @throws dev.dormouse.error.DormouseException NOT_ALLOWED_HERE in workflow code, in a transaction step, and in
     *     a step of this run; TOO_MANY_WAITS in a step, if too many steps of this node wait for runs; RESULT_TIMEOUT if
     *     the thread is interrupted
     */
    @Nullable
    R result();

    /**
     * Waits for the result for at most {@code atMost}, and returns it; null if the workflow returned null or has no
     * result. On a timeout, the message names the failing step, with its last
     * failure and its next attempt, or else the waits of the run.
     *
     * <p>In workflow code, use {@link WorkflowContext#child(Class, String, ChildOptions)}. A step that waits releases
     * its run's slot on the node, but holds its thread.
     *
     * @throws WorkflowException RUN_FAILED, RUN_TERMINATED, RUN_TIMED_OUT or RUN_CANCELLED if it ended without a
     *     result
     * @throws dev.dormouse.error.DormouseException RESULT_TIMEOUT after that time, or if the thread is interrupted;
     *     NOT_ALLOWED_HERE in workflow code, in a transaction step, and in a step of this run; TOO_MANY_WAITS in a
     *     step, if too many steps of this node wait for runs
     */
    @Nullable
    R result(Duration atMost);

    /**
     * Returns the result as a future. The future fails with {@link WorkflowException} if the run ends without a result,
     * and is cancelled if the Dormouse closes first. In a step, the run's slot on the node is released until the future
     * is done or the step ends, however the step waits.
     *
     * @throws dev.dormouse.error.DormouseException NOT_ALLOWED_HERE in workflow code, in a transaction step, and in
     *     a step of this run; TOO_MANY_WAITS in a step, if too many steps of this node wait for runs
     */
    CompletableFuture<@Nullable R> resultAsync();

    /** Returns the current state of the run, with its memo and its open steps. Reads the run's row and its history. */
    RunDescription describe();

    /** Returns the current state of the run without its memo and steps, as in lists. Reads one row and no history. */
    RunDescription summary();

    /**
     * Returns the complete history, after checking it for damage.
     *
     * @throws dev.dormouse.error.DormouseException HISTORY_DAMAGED if it is damaged; HISTORY_TOO_NEW if a newer
     *     version of Dormouse wrote it
     */
    List<HistoryEvent> history();

    /**
     * Sends a signal to the open run of this workflow id. Returns when the store has accepted it.
     *
     * @throws dev.dormouse.error.DormouseException RUN_CLOSED if the workflow id has no open run; UNKNOWN_SIGNAL or
     *     PAYLOAD_DOES_NOT_FIT if the registered interface has no such signal, or does not accept the arguments
     */
    void signal(String name, @Nullable Object... arguments);

    /**
     * Sends a signal under a key to the open run of this workflow id. Sending again under the same key has no effect.
     *
     * @throws dev.dormouse.error.DormouseException RUN_CLOSED if the workflow id has no open run; UNKNOWN_SIGNAL or
     *     PAYLOAD_DOES_NOT_FIT if the registered interface has no such signal, or does not accept the arguments
     */
    void signalOnce(String key, String name, @Nullable Object... arguments);

    /**
     * Calls a query of this run, and returns its result, which may be null. Waits for at most 10 s; see
     * {@link QueryMethod}.
     *
     * @throws dev.dormouse.error.DormouseException NOT_ANSWERED if no node with the code answers in time;
     *     QUERY_FAILED if the query throws; UNKNOWN_QUERY if the workflow has no such query; PAYLOAD_DOES_NOT_FIT if
     *     the arguments or the result do not fit
     */
    default <T> @Nullable T query(String name, Class<T> type, @Nullable Object... arguments) {
        return query(name, TypeRef.of(type), arguments);
    }

    /**
     * Calls a query of this run, and returns its result, which has type parameters and may be null. Waits for at most
     * 10 s; see {@link QueryMethod}.
     *
     * @throws dev.dormouse.error.DormouseException NOT_ANSWERED if no node with the code answers in time;
     *     QUERY_FAILED if the query throws; UNKNOWN_QUERY if the workflow has no such query; PAYLOAD_DOES_NOT_FIT if
     *     the arguments or the result do not fit
     */
    <T> @Nullable T query(String name, TypeRef<T> type, @Nullable Object... arguments);

    /**
     * Sends an update to the open run of this workflow id, and returns its result, which may be null. Waits for at most
     * a minute; see {@link UpdateMethod}.
     *
     * @throws UpdateFailedException UPDATE_REJECTED if the validator refuses it; UPDATE_FAILED if the handler throws
     * @throws dev.dormouse.error.DormouseException RUN_CLOSED if the workflow id has no open run, or the run closes
     *     first; NOT_ANSWERED if it does not answer in time; UNKNOWN_UPDATE if the registered interface has no such
     *     update; PAYLOAD_DOES_NOT_FIT if the arguments or the result do not fit
     */
    default <T> @Nullable T update(String name, Class<T> type, @Nullable Object... arguments) {
        return update(name, TypeRef.of(type), arguments);
    }

    /**
     * Sends an update to the open run of this workflow id, and returns its result, which has type parameters and may be
     * null. Waits for at most a minute; see {@link UpdateMethod}.
     *
     * @throws UpdateFailedException UPDATE_REJECTED if the validator refuses it; UPDATE_FAILED if the handler throws
     * @throws dev.dormouse.error.DormouseException RUN_CLOSED if the workflow id has no open run, or the run closes
     *     first; NOT_ANSWERED if it does not answer in time; UNKNOWN_UPDATE if the registered interface has no such
     *     update; PAYLOAD_DOES_NOT_FIT if the arguments or the result do not fit
     */
    <T> @Nullable T update(String name, TypeRef<T> type, @Nullable Object... arguments);

    /**
     * Sends an update under an id, and waits for its result for at most {@code atMost}. A repeated call with the same
     * id does not execute the update again, and returns the same result, which may be null.
     *
     * @throws UpdateFailedException UPDATE_REJECTED if the validator refuses it; UPDATE_FAILED if the handler throws
     * @throws dev.dormouse.error.DormouseException RUN_CLOSED if the workflow id has no open run, or the run closes
     *     first; NOT_ANSWERED if it does not answer in time, then call again with the same id; UNKNOWN_UPDATE if the
     *     registered interface has no such update; PAYLOAD_DOES_NOT_FIT if the arguments or the result do not fit
     */
    default <T> @Nullable T updateOnce(
            String id, Duration atMost, String name, Class<T> type, @Nullable Object... arguments) {
        return updateOnce(id, atMost, name, TypeRef.of(type), arguments);
    }

    /**
     * Sends an update under an id, with a result that has type parameters, and waits for the result for at most
     * {@code atMost}. A repeated call with the same id does not execute the update again, and returns the same result,
     * which may be null.
     *
     * @throws UpdateFailedException UPDATE_REJECTED if the validator refuses it; UPDATE_FAILED if the handler throws
     * @throws dev.dormouse.error.DormouseException RUN_CLOSED if the workflow id has no open run, or the run closes
     *     first; NOT_ANSWERED if it does not answer in time, then call again with the same id; UNKNOWN_UPDATE if the
     *     registered interface has no such update; PAYLOAD_DOES_NOT_FIT if the arguments or the result do not fit
     */
    <T> @Nullable T updateOnce(String id, Duration atMost, String name, TypeRef<T> type, @Nullable Object... arguments);

    /**
     * Sends an update to the open run of this workflow id, and returns a future of its result. Like
     * {@link #update(String, Class, Object...)}, it waits for at most a minute, but it does not block a thread. Cancelling
     * the future only ends the wait: the run executes the update. The future is cancelled if the Dormouse closes first.
     * In a step, the run's slot on the node is released until the future is done or the step ends.
     *
     * <p>The future fails with {@link UpdateFailedException} if the update is rejected or its handler throws, and with
     * {@link dev.dormouse.error.DormouseException} RUN_NOT_FOUND, RUN_CLOSED, NOT_ANSWERED, STORE_UNAVAILABLE or
     * PAYLOAD_DOES_NOT_FIT in the cases of {@link #update(String, Class, Object...)}.
     *
     * @throws dev.dormouse.error.DormouseException UNKNOWN_UPDATE or PAYLOAD_DOES_NOT_FIT if the registered interface
     *     has no such update, or does not accept the arguments; TOO_MANY_WAITS in a step, if too many steps of this
     *     node wait for runs
     */
    default <T> CompletableFuture<@Nullable T> updateAsync(String name, Class<T> type, @Nullable Object... arguments) {
        return updateAsync(name, TypeRef.of(type), arguments);
    }

    /**
     * Sends an update whose result has type parameters to the open run of this workflow id, and returns a future of its
     * result. Does not block a thread; see {@link #updateAsync(String, Class, Object...)}.
     *
     * @throws dev.dormouse.error.DormouseException as {@link #updateAsync(String, Class, Object...)}
     */
    <T> CompletableFuture<@Nullable T> updateAsync(String name, TypeRef<T> type, @Nullable Object... arguments);

    /**
     * Returns a handle to a timer of the run that was created with {@link Workflow#newUpdatableTimer(String)}. Does not
     * check that it exists.
     */
    TimerHandle timer(String name);

    /**
     * Returns the waits of the run, in the order in which its code began them; empty if the run has ended. Asks a node
     * that has the code, for at most 10 s, as {@link #query} does.
     *
     * @throws dev.dormouse.error.DormouseException NOT_ANSWERED if no node with the code answers in time
     */
    List<WaitDescription> waits();

    /**
     * Moves the end of a wait, earlier or later, and returns when the run has applied the change. A past instant ends
     * the wait now. It can move:
     * <ul>
     *   <li>a sleep or a timer,
     *   <li>a wait with a deadline, for a condition or a signal,
     *   <li>a delayed start,
     *   <li>the back-off of a step before its next attempt.
     * </ul>
     *
     * @param call the number from {@link WaitDescription#call}
     * @param to the new end of the wait
     * @param reason the reason for {@link UpdatableTimer#changes}, if it is the wait of such a timer; may be empty
     * @throws UpdateFailedException UPDATE_FAILED if there is no such wait any more, it cannot be moved, or its timer's
     *     policy forbids it
     * @throws dev.dormouse.error.DormouseException TIMER_REFUSED for a delayed start, if the run has begun;
     *     INSTANT_OUT_OF_RANGE if no store can hold the instant; NOT_ANSWERED if the run does not respond within a
     *     minute
     */
    void moveWait(int call, Instant to, String reason);

    /**
     * Requests that the run ends by itself: its waiting calls throw {@link dev.dormouse.error.CancelledException}, and its
     * code can clean up. Returns when the store has accepted the request.
     *
     * @throws dev.dormouse.error.DormouseException RUN_CLOSED if the workflow id has no open run; BAD_ARGUMENT if
     *     {@code reason} is null or longer than 2,000 characters
     */
    void cancel(String reason);

    /**
     * Ends the run at once, on any node. Its code is not notified. Returns false if the run has already ended.
     *
     * @throws dev.dormouse.error.DormouseException STORE_FAILED if other transactions block the run
     */
    boolean terminate(String reason);

    /**
     * Retries a failed or stuck run, and returns at once.
     *
     * <p>A run that FAILED or TIMED_OUT is followed by a new run of the same workflow id. The new run shares the
     * history up to a point, and continues from there:
     * <ul>
     *   <li>If failed steps or children are among the causes of the failure, the last of them decides. A step is
     *       executed again, with all its attempts; a child is requested again.
     *   <li>If there are none, from the last failed step, provided that no step completed and no timer fired after it.
     *   <li>Otherwise, or if the run TIMED_OUT, from the end of the history, so that corrected code continues there.
     * </ul>
     *
     * <p>The rules of {@link #reset} apply here too. If this run has continued as new, the last run of the chain is
     * retried. A run that is STUCK is tried now instead of later, and stays the same run.
     *
     * @return the run that continues
     * @throws dev.dormouse.error.DormouseException RETRY_REFUSED if the run is open, or ended in another way;
     *     RESET_REFUSED if a child that was requested before the point has not reported its end; RUN_REPLACED if
     *     another run has taken this run's place
     */
    WorkflowHandle<R> retry();

    /**
     * Resets the run to an earlier point: starts a new run of the same workflow id that shares the first {@code events}
     * events of this run's {@link #history}, and returns at once. This run keeps its history; if it is open, it is
     * terminated first, with the reason "reset".
     *
     * <p>Everything after that point happens again:
     * <ul>
     *   <li>Steps are executed again, and children that have closed are started again.
     *   <li>Signals and updates that this run received after the point, or never read, go to the new run in the same
     *       order, before all later ones. Cancel requests after the point are dropped.
     *   <li>Input and memo stay the same, and {@link Workflow#randomUuid} continues its sequence.
     *   <li>A timer that is due fires at once. An execution timeout keeps its length and counts from now.
     * </ul>
     *
     * <p>Only the latest run of a workflow id can be reset, and each run only once. A repeated call with the same
     * number returns the same new run, even if several callers make it at the same time.
     *
     * @param events the number of events to share, from 1 (to start from the beginning) to all except the closing
     *     event
     * @return the run that continues
     * @throws dev.dormouse.error.DormouseException RESET_REFUSED if {@code events} is out of range, the run has
     *     continued as new, or a child that was requested before the point has not reported its end; RUN_REPLACED if
     *     another run has taken this run's place
     */
    WorkflowHandle<R> reset(int events);
}
