package dev.dormouse.dag.run;

import dev.dormouse.UpdatableTimer;
import dev.dormouse.Workflow;
import dev.dormouse.dag.data.JsonTree;
import dev.dormouse.dag.model.DagDefinition;
import dev.dormouse.dag.model.Step;
import dev.dormouse.dag.model.StepStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The state of a step in a run: its status, times, output and failure. Confined to the run's coroutines. */
final class StepRun {
    /** A larger output is not part of the state: it is only in the history. */
    private static final int SHOWN = 1_000;

    private final Step step;
    private StepStatus status = StepStatus.PENDING;
    private @Nullable Instant startedAt;
    private @Nullable Instant endedAt;
    private @Nullable Instant waitsUntil;
    private @Nullable UpdatableTimer timer;
    private @Nullable String note;
    private @Nullable Exception problem;
    private @Nullable Object output;
    private @Nullable ApprovalState approval;
    private boolean blocks;

    StepRun(Step step) {
        this.step = step;
    }

    Step step() {
        return step;
    }

    String id() {
        return step.id();
    }

    StepStatus status() {
        return status;
    }

    /** Returns true if the successors of this step cannot be executed. */
    boolean blocks() {
        return blocks;
    }

    @Nullable
    Exception problem() {
        return problem;
    }

    /** Returns the output, or null if it is too large to show. */
    @Nullable
    Object output() {
        return output;
    }

    @Nullable
    ApprovalState approval() {
        return approval;
    }

    void begins() {
        status = StepStatus.RUNNING;
        startedAt = Workflow.now();
    }

    /** Marks the step as waiting. With a timer, the end of the wait can be moved. */
    void waits(StepStatus how, Instant until, @Nullable UpdatableTimer movable) {
        status = how;
        waitsUntil = until;
        timer = movable;
    }

    void asks(ApprovalState newApproval) {
        approval = newApproval;
    }

    /**
     * Logs a warning if the step sleeps for long.
     *
     * @return a text for the mark; empty if the sleep is not long
     */
    String warnIfLong(Instant until) {
        Duration length = Duration.between(Workflow.now(), until);
        if (length.compareTo(DagDefinition.LONG_SLEEP) <= 0) {
            return "";
        }
        note = "sleeps for " + length.toDays() + " days";
        Workflow.logger().warn("Step '{}' of run {} {}", id(), Workflow.info().runId(), note);
        return ", for " + length.toDays() + " days";
    }

    void ends(StepStatus how, @Nullable Object result) {
        status = how;
        endedAt = Workflow.now();
        output = JsonTree.size(result, SHOWN) <= SHOWN ? result : null;
        blocks = how == StepStatus.NOT_APPROVED;
    }

    void fails(Exception why) {
        status = StepStatus.FAILED;
        endedAt = Workflow.now();
        problem = why;
        blocks = true;
    }

    /** Called when the onFailure step has replaced this one. */
    void handled(@Nullable Object result) {
        ends(StepStatus.HANDLED, result);
    }

    void skipped(String because) {
        status = StepStatus.SKIPPED;
        note = because;
        endedAt = Workflow.now();
    }

    void blocked(String because) {
        skipped(because);
        blocks = true;
    }

    void cancelled() {
        status = StepStatus.CANCELLED;
        endedAt = Workflow.now();
        blocks = true;
    }

    void compensated() {
        status = StepStatus.COMPENSATED;
    }

    /** Returns the current end of the wait. */
    private @Nullable Instant wakeAt() {
        Instant moved = timer == null ? null : timer.wakeUpTime();
        return moved == null ? waitsUntil : moved;
    }

    Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("id", id());
        tree.put("kind", step.action().kind());
        tree.put("status", status.name());
        put(tree, "startedAt", startedAt);
        put(tree, "endedAt", endedAt);
        boolean waiting = status == StepStatus.SLEEPING || status == StepStatus.WAITING;
        put(tree, "wakeAt", waiting ? wakeAt() : null);
        put(tree, "note", note);
        put(tree, "failure", problem == null ? null : problem.getMessage());
        if (output != null) {
            tree.put("output", output);
        }
        return tree;
    }

    private static void put(Map<String, @Nullable Object> tree, String name, @Nullable Object value) {
        if (value != null) {
            tree.put(name, value.toString());
        }
    }
}
