package dev.dormouse;

import dev.dormouse.history.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A run, from outside. Thread-safe; costs nothing while nobody waits for its result. */
public interface WorkflowHandle<R> {

    String workflowId();

    UUID runId();

    /**
     * Waits until the run ends.
     *
     * @throws WorkflowException when it ended without a result
     */
    @Nullable
    R result();

    /**
     * Waits for the result for at most {@code atMost}. When that time is up, the error names the step that fails, with its
     * last failure and its next attempt, or else what the run waits for.
     *
     * <p>In workflow code, use {@link WorkflowContext#child(Class, String, ChildOptions)}. A step that waits lends its run's
     * place on the node, but holds its thread.
     *
     * @throws dev.dormouse.error.DormouseException RESULT_TIMEOUT after that time; NOT_ALLOWED_HERE in workflow code, in a
     *     transaction step, and in a step of this run; TOO_MANY_WAITS in a step, if too many wait
     */
    @Nullable
    R result(Duration atMost);

    /**
     * Returns the result as a future, which is cancelled when the Dormouse closes before. In a step, its run's place on the
     * node is lent until the future is done or the step ends, however the step waits.
     *
     * @throws dev.dormouse.error.DormouseException NOT_ALLOWED_HERE in workflow code, in a transaction step, and in a step of
     *     this run; TOO_MANY_WAITS in a step, if too many wait
     */
    CompletableFuture<@Nullable R> resultAsync();

    RunDescription describe();

    /** The same as lists show it, without memo and steps: reads one row and no history. */
    RunDescription glance();

    /** Reads the run's row, its history and its steps' progress once, for tools that show all of them. */
    RunSnapshot snapshot();

    /** The whole history, checked for damage. */
    List<HistoryEvent> history();

    /** The same as it is stored: for tools. */
    List<Event> events();

    /**
     * Tells the workflow something; returns when the store has accepted it. It goes to the workflow id's open run.
     *
     * @throws dev.dormouse.error.DormouseException RUN_CLOSED when there is none any more
     */
    void signal(String name, @Nullable Object... arguments);

    /** The same under a key: sending it again under the same key is harmless. */
    void signalOnce(String key, String name, @Nullable Object... arguments);

    /** Asks this run something that changes nothing; see {@link QueryMethod}. Waits for no longer than 10 s. */
    default <T> @Nullable T query(String name, Class<T> type, @Nullable Object... arguments) {
        return query(name, TypeRef.of(type), arguments);
    }

    /** Asks this run something that changes nothing, with an answer that has type parameters. */
    <T> @Nullable T query(String name, TypeRef<T> type, @Nullable Object... arguments);

    /**
     * Asks the workflow for something and waits for the answer, for no longer than a minute; see {@link UpdateMethod}.
     *
     * @throws UpdateFailed when the answer is no
     */
    default <T> @Nullable T update(String name, Class<T> type, @Nullable Object... arguments) {
        return update(name, TypeRef.of(type), arguments);
    }

    /** Asks the workflow for something and waits for an answer that has type parameters. */
    <T> @Nullable T update(String name, TypeRef<T> type, @Nullable Object... arguments);

    /** The same under an id and for as long as one likes: asked again under the same id, the answer is the same. */
    default <T> @Nullable T updateOnce(
            String id, Duration atMost, String name, Class<T> type, @Nullable Object... arguments) {
        return updateOnce(id, atMost, name, TypeRef.of(type), arguments);
    }

    /** Asks the workflow for something under an id, with an answer that has type parameters. */
    <T> @Nullable T updateOnce(String id, Duration atMost, String name, TypeRef<T> type, @Nullable Object... arguments);

    /** A timer of the run that was made by {@link Workflow#newUpdatableTimer(String)}. */
    TimerHandle timer(String name);

    /**
     * What the run waits for, in the order in which its code asked for it; none when it has ended. A node that has the code
     * is asked, for no longer than 10 s, as by {@link #query}.
     *
     * @throws dev.dormouse.error.DormouseException NOT_ANSWERED when no node has the code
     */
    List<WaitDescription> waits();

    /**
     * Moves the end of a wait, earlier or later: of a sleep, a timer, a wait for a condition or a signal with a deadline, a
     * delayed start, or of the back-off of a step that is to be tried again. An instant that has passed ends it now. Returns
     * when the run has done so.
     *
     * @param call as {@link #waits} told
     * @param reason for {@link UpdatableTimer#changes}, where it is the wait of such a timer
     * @throws UpdateFailed where there is no such wait any more, it cannot be moved, or its timer's policy forbids it
     */
    void moveWait(int call, Instant to, String reason);

    /**
     * Asks the run to come to an end by itself: what its code waits for throws {@link
     * dev.dormouse.error.CanceledFailure}, and it can clean up. Returns when the store has accepted the request.
     */
    void cancel(String reason);

    /** Ends the run at once, wherever it executes; false when it has ended already. Its code is not asked. */
    boolean terminate(String reason);

    /**
     * Tries again what failed, and returns at once.
     *
     * <p>A run that FAILED is followed by a new run of the same workflow id, which shares its history up to the failed
     * step that led to the failure, and takes that step again, with all its attempts: the last one that is among the causes of the failure, or
     * else the last one, if no other step or timer came after it. Where a child is among the causes, the history is
     * shared up to the request of that child. Where the code failed by itself, or the run TIMED_OUT, all of the history
     * is shared, so that corrected code goes on from there. What is said of {@link #reset} holds here too. Where this run
     * has continued as others, the last of them is meant.
     *
     * <p>A run that is STUCK is tried now instead of later, and stays the same run.
     *
     * @return the run that goes on
     * @throws dev.dormouse.error.DormouseException RETRY_REFUSED for a run that is open or came to another end
     */
    WorkflowHandle<R> retry();

    /**
     * Goes on from an earlier point: starts a new run of the same workflow id that shares the first events of this run's
     * {@link #history}, and returns at once. This run stays as it is; an open one is terminated before, with the reason
     * "reset".
     *
     * <p>What came after that point happens anew: steps are taken again, children are started again in the place of those
     * that have closed, and signals and updates that this run had received after it, or never read, are given to the new
     * run in the same order, before all that comes later. Requests to cancel that came after it are dropped. Input and
     * memo stay, {@link Workflow#randomUuid} goes on as it did, a timer that is due fires at once, and an execution
     * timeout is as long as it was and counts from now.
     *
     * <p>Only the latest run of a workflow id can be reset, and each run once: asking again for the same returns the
     * same new run, also when several do so at once.
     *
     * @param events how many to share, from 1 (to begin from the beginning) to all but the end
     * @return the run that goes on
     * @throws dev.dormouse.error.DormouseException RESET_REFUSED for a number out of range, and where a child that was
     *     asked for before the point has not told its end; RUN_REPLACED when another run has taken this one's place
     */
    WorkflowHandle<R> reset(int events);
}
