package dev.dormouse.dag.run;

import dev.dormouse.UpdatableTimer;
import dev.dormouse.Workflow;
import dev.dormouse.dag.data.Tree;
import dev.dormouse.dag.model.Definition;
import dev.dormouse.dag.model.Step;
import dev.dormouse.dag.model.StepStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A step of a run: where it stands, since when and until when. Belongs to the run's coroutines. */
final class StepRun {
    /** A larger output is not shown: it is in the history. */
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
    private @Nullable Approval approval;
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

    /** Whether what comes after it cannot be done. */
    boolean blocks() {
        return blocks;
    }

    @Nullable
    Exception problem() {
        return problem;
    }

    /** As far as it is shown. */
    @Nullable
    Object output() {
        return output;
    }

    @Nullable
    Approval approval() {
        return approval;
    }

    void begins() {
        status = StepStatus.RUNNING;
        startedAt = Workflow.now();
    }

    /** It waits, and somebody may move the end of that. */
    void waits(StepStatus how, Instant until, @Nullable UpdatableTimer movable) {
        status = how;
        waitsUntil = until;
        timer = movable;
    }

    void asks(Approval newApproval) {
        approval = newApproval;
    }

    /** @return a warning where it sleeps for long, and an empty text otherwise */
    String warnIfLong(Instant until) {
        Duration length = Duration.between(Workflow.now(), until);
        if (length.compareTo(Definition.LONG_SLEEP) <= 0) {
            return "";
        }
        note = "sleeps for " + length.toDays() + " days";
        Workflow.logger().warn("Step '{}' of run {} {}", id(), Workflow.info().runId(), note);
        return ", for " + length.toDays() + " days";
    }

    void ends(StepStatus how, @Nullable Object result) {
        status = how;
        endedAt = Workflow.now();
        output = Tree.size(result, SHOWN) <= SHOWN ? result : null;
        blocks = how == StepStatus.NOT_APPROVED;
    }

    void fails(Exception why) {
        status = StepStatus.FAILED;
        endedAt = Workflow.now();
        problem = why;
        blocks = true;
    }

    /** Its onFailure step has taken its place. */
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

    void canceled() {
        status = StepStatus.CANCELED;
        endedAt = Workflow.now();
        blocks = true;
    }

    void compensated() {
        status = StepStatus.COMPENSATED;
    }

    /** When its wait ends as things are. */
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
