package dev.dormouse.internal.client;

import dev.dormouse.TypeRef;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.HistoryEvent;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.WaitDescription;
import dev.dormouse.internal.engine.Node;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.store.run.RunRow;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A handle to the latest run of a workflow id, which each call that needs a run looks up again. Signals and updates go
 * to the open run without a look-up. Thread-safe: all fields are final.
 */
public final class LatestRunHandle<R> extends IdHandle<R> {
    private static final String UNKNOWN_TYPE = "";
    private static final String CLASS = "WorkflowHandle.";

    private final Node node;
    private final Payloads payloads;
    private final Type resultType;

    public LatestRunHandle(Node node, RunCalls calls, Payloads payloads, String workflowId, Type resultType) {
        super(calls, UNKNOWN_TYPE, workflowId);
        this.node = node;
        this.payloads = payloads;
        this.resultType = resultType;
    }

    /** Returns a handle to the run that is the latest one now. */
    private RunHandle<R> run(String method) {
        RunRow row = calls.latest(CLASS + method, workflowId);
        return new RunHandle<>(node, calls, payloads, row.type(), workflowId, row.runId(), resultType);
    }

    /** Returns a handle to the run that is the latest one now, for a call that waits for its end. */
    private RunHandle<R> runToAwait(String method) {
        CallGuard.waits(CLASS + method, null);
        return run(method);
    }

    /** Returns a handle to the run that is the latest one now, for a call that changes it. */
    private RunHandle<R> runToChange(String method) {
        CallGuard.changes(CLASS + method);
        return run(method);
    }

    @Override
    public String toString() {
        return "latest run of workflow id '" + workflowId + "'";
    }

    @Override
    public UUID runId() {
        return run("runId").runId();
    }

    @Override
    public @Nullable R result() {
        return runToAwait("result").result();
    }

    @Override
    public @Nullable R result(Duration atMost) {
        return runToAwait("result").result(atMost);
    }

    @Override
    public CompletableFuture<@Nullable R> resultAsync() {
        return runToAwait("resultAsync").resultAsync();
    }

    @Override
    public RunDescription describe() {
        return run("describe").describe();
    }

    @Override
    public RunDescription summary() {
        return run("summary").summary();
    }

    @Override
    public List<HistoryEvent> history() {
        return run("history").history();
    }

    @Override
    public List<Event> events() {
        return run("events").events();
    }

    @Override
    public RunSnapshot snapshot() {
        return run("snapshot").snapshot();
    }

    @Override
    public <T> @Nullable T query(String name, TypeRef<T> type, @Nullable Object... arguments) {
        return run("query").query(name, type, arguments);
    }

    @Override
    public List<WaitDescription> waits() {
        return run("waits").waits();
    }

    @Override
    public void moveWait(int call, Instant to, String reason) {
        runToChange("moveWait").moveWait(call, to, reason);
    }

    @Override
    public void cancel(String reason) {
        runToChange("cancel").cancel(reason);
    }

    @Override
    public boolean terminate(String reason) {
        return runToChange("terminate").terminate(reason);
    }

    @Override
    public WorkflowHandle<R> retry() {
        return runToChange("retry").retry();
    }

    @Override
    public WorkflowHandle<R> reset(int events) {
        return runToChange("reset").reset(events);
    }
}
