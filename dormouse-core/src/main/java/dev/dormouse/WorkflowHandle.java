package dev.dormouse;

import dev.dormouse.history.Event;
import java.time.Duration;
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

    /** The same, for no longer than this; then {@link dev.dormouse.error.DormouseException} RESULT_TIMEOUT. */
    @Nullable
    R result(Duration atMost);

    /** The result as a future; cancelled when the Dormouse closes before. */
    CompletableFuture<@Nullable R> resultAsync();

    RunDescription describe();

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
    <T> @Nullable T query(String name, Class<T> type, @Nullable Object... arguments);

    /**
     * Asks the workflow for something and waits for the answer, for no longer than a minute; see {@link UpdateMethod}.
     *
     * @throws UpdateFailed when the answer is no
     */
    <T> @Nullable T update(String name, Class<T> type, @Nullable Object... arguments);

    /** The same under an id and for as long as one likes: asked again under the same id, the answer is the same. */
    <T> @Nullable T updateOnce(String id, Duration atMost, String name, Class<T> type, @Nullable Object... arguments);

    /** A timer of the run that was made by {@link Workflow#newUpdatableTimer(String)}. */
    TimerHandle timer(String name);

    /**
     * Asks the run to come to an end by itself: what its code waits for throws {@link
     * dev.dormouse.error.CanceledFailure}, and it can clean up. Returns when the store has accepted the request.
     */
    void cancel(String reason);

    /** Ends the run at once, wherever it executes; false when it has ended already. Its code is not asked. */
    boolean terminate(String reason);
}
