package dev.dormouse.dag;

import dev.dormouse.WorkflowHandle;
import dev.dormouse.dag.data.BadDag;
import dev.dormouse.dag.data.Tree;
import dev.dormouse.dag.model.Definition;
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

/** A run of a DAG, from outside. Thread-safe. */
public final class DagRun {
    private final Dags dags;
    private final WorkflowHandle<Object> handle;

    DagRun(Dags dags, WorkflowHandle<Object> handle) {
        this.dags = dags;
        this.handle = handle;
    }

    /** What can be done with any run: cancel, terminate, retry, history. */
    public WorkflowHandle<Object> handle() {
        return handle;
    }

    public String workflowId() {
        return handle.workflowId();
    }

    /**
     * Waits until the run ends.
     *
     * @throws dev.dormouse.WorkflowException when it ended without a result
     */
    public @Nullable Object result() {
        return handle.result();
    }

    /** The same, for no longer than this. */
    public @Nullable Object result(Duration atMost) {
        return handle.result(atMost);
    }

    /** Where the run and all its steps stand. */
    public DagState state() {
        DagState state = DagState.of(String.valueOf(handle.query("state", String.class)));
        return handle.describe().status().isClosed() ? state.ended() : state;
    }

    /**
     * Moves the end of a step that sleeps, or of the time that an approval has.
     *
     * @throws dev.dormouse.UpdateFailed when it does not wait, or its DAG's maxSleep forbids it
     */
    public void move(String step, Instant wakeAt, String reason) {
        handle.timer(BadDag.required(step, "the id of a step")).reschedule(wakeAt, reason);
    }

    /** The approvals that the run waits for. Whoever gets a token can decide. */
    public List<PendingApproval> approvals() {
        Map<?, ?> secrets =
                (Map<?, ?>) Objects.requireNonNull(Tree.parse(String.valueOf(handle.query("secrets", String.class))));
        return state().steps().stream()
                .filter(step -> secrets.containsKey(step.id()) && step.status() == StepStatus.WAITING)
                .map(step -> pending(step, String.valueOf(secrets.get(step.id()))))
                .toList();
    }

    private PendingApproval pending(DagState.StepState step, String secret) {
        String token = new ApprovalToken(workflowId(), step.id(), secret).text();
        return new PendingApproval(step.id(), token, step.wakeAt().orElse(Instant.MAX));
    }

    /** The DAG as a flowchart in the language of Mermaid, with the state of this run. */
    public String toMermaid() {
        DagState state = state();
        if (state.steps().isEmpty()) {
            return notBegun();
        }
        Definition definition = dags.find(state.dag(), state.version())
                .orElseThrow(() -> Registry.unknown(state.dag(), state.version()))
                .definition();
        Map<String, Mermaid.Note> notes = new HashMap<>();
        state.steps().forEach(step -> notes.put(step.id(), new Mermaid.Note(step.status(), step.line())));
        return Mermaid.picture(definition, notes);
    }

    private String notBegun() {
        String name = handle.describe().type().substring(DagWorkflow.FAMILY.length() + 1);
        return dags.find(name).orElseThrow(() -> Registry.unknown(name, 0)).toMermaid();
    }

    @Override
    public String toString() {
        return "run " + handle.runId() + " of workflow id '" + workflowId() + "'";
    }
}
