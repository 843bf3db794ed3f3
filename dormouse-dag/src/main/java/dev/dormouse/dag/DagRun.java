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

/**
 * A handle to a run of a DAG. Thread-safe.
 *
 * <p>In addition to the codes that a method names, every method that accesses the store throws
 * {@link dev.dormouse.error.DormouseException} with the codes of {@link WorkflowHandle}.
 */
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

    /**
     * Returns the workflow id of the run: as given to the start, or as derived by {@link Dags#start(String, Object)}.
     */
    public String workflowId() {
        return handle.workflowId();
    }

    /**
     * Waits until the run ends and returns its result, as a JSON tree of maps, lists, texts, numbers and booleans. The
     * result is null if that is the DAG's output.
     *
     * @throws dev.dormouse.error.WorkflowException RUN_FAILED, RUN_TERMINATED, RUN_TIMED_OUT or RUN_CANCELLED if the
     *     run ended without a result
     */
    public @Nullable Object result() {
        return handle.result();
    }

    /**
     * Waits up to {@code atMost} until the run ends and returns its result, as a JSON tree of maps, lists, texts,
     * numbers and booleans. The result is null if that is the DAG's output.
     *
     * @throws dev.dormouse.error.WorkflowException RUN_FAILED, RUN_TERMINATED, RUN_TIMED_OUT or RUN_CANCELLED if the
     *     run ended without a result
     * @throws dev.dormouse.error.DormouseException RESULT_TIMEOUT if the run is still open after {@code atMost}
     */
    public @Nullable Object result(Duration atMost) {
        return handle.result(atMost);
    }

    /**
     * Returns the current state of the run and of all its steps. Asks a node that has the code, for at most 10 s.
     *
     * @throws dev.dormouse.error.DormouseException NOT_ANSWERED if no node with the code answers in time
     */
    public DagState state() {
        DagState state = DagState.of(String.valueOf(handle.query("state", String.class)));
        return handle.describe().status().isClosed() ? state.ended() : state;
    }

    /**
     * Moves the end of a sleeping step, or the deadline of an approval, to {@code wakeAt}.
     *
     * @throws dev.dormouse.error.UpdateFailedException UPDATE_FAILED if the step does not wait, or {@code wakeAt}
     *     exceeds the DAG's {@link DagBuilder#maxSleep}
     * @throws dev.dormouse.error.DormouseException BAD_DAG if {@code step} is null; RUN_CLOSED if the run has closed;
     *     NOT_ANSWERED if it does not respond within a minute
     */
    public void move(String step, Instant wakeAt, String reason) {
        handle.timer(DagErrors.required(step, "the id of a step")).reschedule(wakeAt, reason);
    }

    /**
     * Returns the approvals that the run waits for. Each contains a token that entitles its owner to decide.
     *
     * @throws dev.dormouse.error.DormouseException NOT_ANSWERED if no node with the code answers within 10 s
     */
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

    /**
     * Returns the DAG as a Mermaid flowchart that shows the state of this run.
     *
     * @throws dev.dormouse.error.DormouseException NOT_ANSWERED if no node with the code answers within 10 s;
     *     DAG_NOT_FOUND if the store has no definition of the DAG
     */
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
