package dev.dormouse.dag;

import dev.dormouse.WorkflowHandle;
import dev.dormouse.dag.data.DagErrors;
import dev.dormouse.dag.data.JsonTree;
import dev.dormouse.dag.model.DagDefinition;
import dev.dormouse.dag.model.Mermaid;
import dev.dormouse.dag.model.StepStatus;
import dev.dormouse.dag.run.ApprovalToken;
import dev.dormouse.dag.run.DagWorkflow;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A handle to a run of a DAG. Thread-safe. */
public final class DagRun {
    private final Dags dags;
    private final WorkflowHandle<Object> handle;

    DagRun(Dags dags, WorkflowHandle<Object> handle) {
        this.dags = dags;
        this.handle = handle;
    }

    /** Returns the workflow handle, for operations on any run: cancel, terminate, retry, history. */
    public WorkflowHandle<Object> handle() {
        return handle;
    }

    public String workflowId() {
        return handle.workflowId();
    }

    /**
     * Waits until the run ends and returns its result.
     *
     * @throws dev.dormouse.error.WorkflowException if the run ended without a result
     */
    public @Nullable Object result() {
        return handle.result();
    }

    /**
     * Waits up to {@code atMost} until the run ends and returns its result.
     *
     * @throws dev.dormouse.error.WorkflowException if the run ended without a result
     */
    public @Nullable Object result(Duration atMost) {
        return handle.result(atMost);
    }

    /** Returns the current state of the run and of all its steps. */
    public DagState state() {
        DagState state = DagState.of(String.valueOf(handle.query("state", String.class)));
        return handle.describe().status().isClosed() ? state.ended() : state;
    }

    /**
     * Moves the end of a sleeping step, or the deadline of an approval, to {@code wakeAt}.
     *
     * @throws dev.dormouse.error.UpdateFailedException if the step does not wait, or {@code wakeAt} exceeds the DAG's maxSleep
     */
    public void move(String step, Instant wakeAt, String reason) {
        handle.timer(DagErrors.required(step, "the id of a step")).reschedule(wakeAt, reason);
    }

    /** Returns the approvals that the run waits for. Each contains a token that entitles its owner to decide. */
    public List<PendingApproval> approvals() {
        Map<?, ?> secrets = (Map<?, ?>)
                Objects.requireNonNull(JsonTree.parse(String.valueOf(handle.query("secrets", String.class))));
        return state().steps().stream()
                .filter(step -> secrets.containsKey(step.id()) && step.status() == StepStatus.WAITING)
                .map(step -> pending(step, String.valueOf(secrets.get(step.id()))))
                .toList();
    }

    private PendingApproval pending(DagState.StepState step, String secret) {
        String token = new ApprovalToken(workflowId(), step.id(), secret).text();
        return new PendingApproval(step.id(), token, step.wakeAt().orElse(Instant.MAX));
    }

    /** Returns the DAG as a Mermaid flowchart that shows the state of this run. */
    public String toMermaid() {
        DagState state = state();
        if (state.steps().isEmpty()) {
            return notBegun();
        }
        DagDefinition definition = dags.find(state.dag(), state.version())
                .orElseThrow(() -> DagRegistry.unknown(state.dag(), state.version()))
                .definition();
        Map<String, Mermaid.Note> notes = new HashMap<>();
        state.steps().forEach(step -> notes.put(step.id(), new Mermaid.Note(step.status(), step.line())));
        return Mermaid.picture(definition, notes);
    }

    private String notBegun() {
        String name = handle.describe().type().substring(DagWorkflow.FAMILY.length() + 1);
        return dags.find(name).orElseThrow(() -> DagRegistry.unknown(name, 0)).toMermaid();
    }

    @Override
    public String toString() {
        return "run " + handle.runId() + " of workflow id '" + workflowId() + "'";
    }
}
