package dev.dormouse;

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

    /** Ends the run at once, wherever it executes; false when it has ended already. Its code is not asked. */
    boolean terminate(String reason);
}
