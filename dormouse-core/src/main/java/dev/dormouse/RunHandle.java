package dev.dormouse;

import dev.dormouse.engine.Node;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Event;
import dev.dormouse.store.RunRow;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A run that this process knows by its id; everything else is asked of the node. */
final class RunHandle<R> implements WorkflowHandle<R> {
    private static final Duration FOR_EVER = Duration.ofDays(100_000);

    private final Node node;
    private final Payloads payloads;
    private final String workflowId;
    private final UUID runId;
    private final Type resultType;

    RunHandle(Node node, Payloads payloads, String workflowId, UUID runId, Type resultType) {
        this.node = node;
        this.payloads = payloads;
        this.workflowId = workflowId;
        this.runId = runId;
        this.resultType = resultType;
    }

    @Override
    public String workflowId() {
        return workflowId;
    }

    @Override
    public UUID runId() {
        return runId;
    }

    @Override
    public @Nullable R result() {
        return result(FOR_EVER);
    }

    @Override
    public @Nullable R result(Duration atMost) {
        CompletableFuture<Event> closing = node.result(workflowId, runId);
        try {
            Duration wait = atMost.compareTo(FOR_EVER) > 0 ? FOR_EVER : atMost.isNegative() ? Duration.ZERO : atMost;
            return value(closing.get(wait.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException late) {
            node.forget(runId, closing);
            throw new DormouseException(
                    ErrorCode.RESULT_TIMEOUT,
                    "Expected run " + runId + " of workflow id '" + workflowId + "' to end within " + atMost
                            + ", but it is still open. Wait longer; the run is not affected.");
        } catch (CancellationException closed) {
            throw new DormouseException(
                    ErrorCode.DORMOUSE_CLOSED,
                    "Expected an open Dormouse while waiting for run " + runId + ", but it was closed. "
                            + "The run goes on where its workflow is executed.");
        } catch (InterruptedException interrupted) {
            node.forget(runId, closing);
            Thread.currentThread().interrupt();
            throw new DormouseException(
                    ErrorCode.RESULT_TIMEOUT,
                    "Expected run " + runId + " to end, but the waiting thread was interrupted. "
                            + "The run is not affected.",
                    interrupted);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof DormouseException reason) {
                throw reason;
            }
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public CompletableFuture<@Nullable R> resultAsync() {
        return node.result(workflowId, runId).thenApply(this::value);
    }

    @SuppressWarnings("unchecked") // the codec returns what it was asked for, or fails
    private @Nullable R value(Event closing) {
        if (closing instanceof Event.RunCompleted completed) {
            return (R) payloads.decode(completed.result(), resultType);
        } else if (closing instanceof Event.RunFailed failed) {
            throw new WorkflowFailed(workflowId, runId, failed.failure());
        }
        ErrorCode code = closing instanceof Event.RunTimedOut ? ErrorCode.RUN_TIMED_OUT : ErrorCode.RUN_TERMINATED;
        throw new WorkflowException(
                code,
                workflowId,
                runId,
                "Expected run " + runId + " of workflow id '" + workflowId + "' to return, but: " + closing.summary()
                        + ". Start it anew if it is still wanted.");
    }

    @Override
    public RunDescription describe() {
        RunRow row = node.find(workflowId, runId);
        return RunDescription.of(row, node.memo(row));
    }

    @Override
    public List<HistoryEvent> history() {
        return HistoryEvent.of(node.history(workflowId, runId));
    }

    @Override
    public boolean terminate(String reason) {
        return node.terminate(workflowId, runId, reason);
    }
}
