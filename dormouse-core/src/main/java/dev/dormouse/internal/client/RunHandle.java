package dev.dormouse.internal.client;

import dev.dormouse.TypeRef;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.Sentence;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.error.WorkflowFailedException;
import dev.dormouse.inspect.HistoryEvent;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.StepDescription;
import dev.dormouse.inspect.WaitDescription;
import dev.dormouse.internal.engine.Node;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.replay.Deadlines;
import dev.dormouse.internal.thread.PlaceLoan;
import dev.dormouse.internal.value.Arguments;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.internal.value.RecordedValues;
import dev.dormouse.store.run.RunRow;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A handle to a run, which stores only the run's ids and asks the node for everything else. Thread-safe: all fields are
 * final.
 */
public final class RunHandle<R> extends IdHandle<R> {
    private static final int MAX_REASON = 2_000;
    private static final Duration FOR_EVER = Duration.ofDays(100_000);

    private final Node node;
    private final Payloads payloads;
    private final UUID runId;
    private final Type resultType;

    public RunHandle(
            Node node, RunCalls calls, Payloads payloads, String type, String workflowId, UUID runId, Type resultType) {
        super(calls, type, workflowId);
        this.node = node;
        this.payloads = payloads;
        this.runId = runId;
        this.resultType = resultType;
    }

    @Override
    public String toString() {
        return "run " + runId + " of workflow id '" + workflowId + "'";
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
        CallGuard.waits("WorkflowHandle.result", runId);
        return result(lastEvent(node.result(workflowId, runId)), atMost);
    }

    /**
     * Waits for the result.
     *
     * @param closing the run's closing event, which this node completes when the run ends here
     */
    @Nullable
    public R result(CompletableFuture<Event> closing) {
        return result(lastEvent(closing), FOR_EVER);
    }

    private static String within(Duration atMost) {
        return atMost.isZero()
                ? "have ended"
                : "end within " + atMost.plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS);
    }

    private @Nullable R result(CompletableFuture<Event> closing, Duration atMost) {
        try {
            return value(node.join(closing, atMost));
        } catch (DormouseException refused) {
            closing.cancel(false);
            throw refused;
        } catch (TimeoutException late) {
            closing.cancel(false);
            throw new DormouseException(
                    ErrorCode.RESULT_TIMEOUT,
                    "Expected run " + runId + " of workflow id '" + workflowId + "' to " + within(atMost) + ", but "
                            + new OpenReason(node, calls, payloads).of(workflowId, runId));
        } catch (CancellationException closed) {
            throw new DormouseException(
                    ErrorCode.DORMOUSE_CLOSED,
                    "Expected an open Dormouse while waiting for run " + runId + ", but it was closed. "
                            + "The run continues on the nodes that execute its workflow.");
        } catch (InterruptedException interrupted) {
            closing.cancel(false);
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
        CallGuard.waits("WorkflowHandle.resultAsync", runId);
        return PlaceLoan.until(lastEvent(node.result(workflowId, runId))
                .thenApplyAsync(this::value, node::callBack)); // writers must not execute user code
    }

    /** Returns the closing event of the run, or of the last run that it continues as. */
    private CompletableFuture<Event> lastEvent(CompletableFuture<Event> closing) {
        CompletableFuture<Event> last = closing.newIncompleteFuture();
        follow(runId, closing, last);
        return last;
    }

    /**
     * Waits for the first run of the chain that has not continued as new. Skips the others in a loop rather than
     * recursively, because there may be thousands.
     */
    private void follow(UUID first, CompletableFuture<Event> end, CompletableFuture<Event> last) {
        UUID run = first;
        CompletableFuture<Event> closing = end;
        try {
            while (hasContinued(closing) && !last.isDone()) {
                run = ((Event.RunContinued) closing.join()).nextRunId();
                closing = node.resultOfNext(workflowId, run);
            }
        } catch (DormouseException noAnswer) {
            last.completeExceptionally(noAnswer);
            return;
        }
        await(run, closing, last);
    }

    private void await(UUID run, CompletableFuture<Event> closing, CompletableFuture<Event> last) {
        CompletableFuture<Event> unused = last.whenComplete((event, problem) -> node.forget(run, closing));
        CompletableFuture<Event> unusedToo = closing.whenComplete((event, problem) -> {
            if (problem != null) {
                last.completeExceptionally(problem);
            } else if (hasContinued(closing) && !last.isDone()) {
                follow(run, closing, last);
            } else {
                last.complete(event);
            }
        });
    }

    private static boolean hasContinued(CompletableFuture<Event> closing) {
        return closing.isDone() && !closing.isCompletedExceptionally() && closing.join() instanceof Event.RunContinued;
    }

    @SuppressWarnings("unchecked") // the codec returns the requested type, or throws
    private @Nullable R value(Event closing) {
        if (closing instanceof Event.RunCompleted completed) {
            return (R) payloads.decode(completed.result(), resultType);
        } else if (closing instanceof Event.RunFailed failed) {
            throw failed(failed.failure());
        }
        ErrorCode code = closing instanceof Event.RunTimedOut
                ? ErrorCode.RUN_TIMED_OUT
                : closing instanceof Event.RunCancelled ? ErrorCode.RUN_CANCELLED : ErrorCode.RUN_TERMINATED;
        throw new WorkflowException(
                code,
                workflowId,
                runId,
                "Expected run " + runId + " of workflow id '" + workflowId + "' to return, but: "
                        + Sentence.of(closing.summary()) + " Start the workflow again if you still need its result.");
    }

    private WorkflowFailedException failed(Failure kept) {
        return new WorkflowFailedException(
                workflowId,
                runId,
                "Expected run " + runId + " of workflow id '" + workflowId + "' to return, but it failed with "
                        + payloads.open(kept).sentence() + " The cause has the complete stack trace.",
                RecordedValues.exception(payloads, kept));
    }

    @Override
    public RunDescription describe() {
        CallGuard.reads("WorkflowHandle.describe");
        RunRow row = node.find(workflowId, runId);
        List<StepDescription> steps = node.openSteps(row).stream()
                .map(step -> Descriptions.step(step, payloads))
                .toList();
        return Descriptions.run(row, node.historyLength(row), node.trouble(row), node.memo(row), steps);
    }

    @Override
    public RunDescription summary() {
        CallGuard.reads("WorkflowHandle.summary");
        RunRow row = node.find(workflowId, runId);
        return Descriptions.run(row, node.historyLength(row), node.trouble(row), Map.of(), List.of());
    }

    @Override
    public RunSnapshot snapshot() {
        CallGuard.reads("WorkflowHandle.describe");
        RunSnapshot found = RunSnapshot.read(node, calls, payloads, node.find(workflowId, runId));
        // A run that was purged between the two reads looks damaged: then it is not found any more.
        return found.events().isEmpty() ? RunSnapshot.read(node, calls, payloads, node.find(workflowId, runId)) : found;
    }

    @Override
    public List<HistoryEvent> history() {
        return Descriptions.history(events().stream().map(payloads::open).toList());
    }

    @Override
    public List<Event> events() {
        CallGuard.reads("WorkflowHandle.history");
        return node.history(workflowId, runId);
    }

    @Override
    @SuppressWarnings("unchecked") // the codec returns the requested type, or throws
    public <T> @Nullable T query(String name, TypeRef<T> type, @Nullable Object... arguments) {
        Type result = Arguments.required(type, "the type of the answer").type();
        return (T) calls.query(this.type, workflowId, runId, name, result, arguments, null);
    }

    @Override
    public List<WaitDescription> waits() {
        CallGuard.reads("WorkflowHandle.waits");
        RunRow row = node.find(workflowId, runId);
        if (row.status().isClosed()) {
            return List.of();
        }
        return Descriptions.isDelayed(row) ? List.of(Descriptions.delayedStart(row)) : calls.waits(workflowId, runId);
    }

    @Override
    public void moveWait(int call, Instant to, String reason) {
        CallGuard.changes("WorkflowHandle.moveWait");
        Instant until = Deadlines.of(Arguments.required(to, "an instant"));
        Arguments.required(reason, "a reason, or \"\"");
        if (call != WaitDescription.BEGINNING) {
            calls.moveWait(workflowId, runId, call, until, reason);
        } else if (!Descriptions.isDelayed(node.find(workflowId, runId))
                || !node.setAlarm(null, workflowId, type, until)) {
            throw new DormouseException(
                    ErrorCode.TIMER_REFUSED,
                    "Expected run " + runId + " of workflow id '" + workflowId
                            + "' not to have begun, but it has. Read its waits again.");
        }
    }

    @Override
    public void cancel(String reason) {
        CallGuard.changes("WorkflowHandle.cancel", "Promise.cancel() of a child");
        if (Arguments.required(reason, "a reason").length() > MAX_REASON) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a reason of at most " + MAX_REASON + " characters, but got " + reason.length()
                            + ". Shorten it.");
        }
        node.cancel(workflowId, runId, reason);
    }

    @Override
    public boolean terminate(String reason) {
        CallGuard.changes("WorkflowHandle.terminate");
        return node.terminate(workflowId, runId, reason);
    }

    @Override
    public WorkflowHandle<R> retry() {
        CallGuard.changes("WorkflowHandle.retry");
        return handle(node.retry(workflowId, runId));
    }

    @Override
    public WorkflowHandle<R> reset(int events) {
        CallGuard.changes("WorkflowHandle.reset");
        return handle(node.reset(workflowId, runId, events));
    }

    private WorkflowHandle<R> handle(UUID run) {
        return run.equals(runId) ? this : new RunHandle<>(node, calls, payloads, type, workflowId, run, resultType);
    }
}
