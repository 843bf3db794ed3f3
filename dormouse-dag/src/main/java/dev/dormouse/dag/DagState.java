package dev.dormouse.dag;

import dev.dormouse.dag.data.JsonTree;
import dev.dormouse.dag.model.StepStatus;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run of a DAG.
 *
 * @param dag the name of the DAG; empty if the run has not begun
 * @param version the version that the run uses
 * @param steps in the order of the definition
 */
public record DagState(String dag, int version, List<StepState> steps) {

    /**
     * The state of a step.
     *
     * @param id the id of the step in the definition
     * @param kind such as {@code task} or {@code sleep}
     * @param status its present status
     * @param startedAt when it began; empty if it has not begun, or was skipped
     * @param endedAt when it ended; empty if it has not, or if the end of the run cut it off
     * @param wakeAt the current end of its sleep or wait
     * @param note the reason why it was skipped, or a warning; empty for none
     * @param failure the message of its failure; empty for none
     * @param output its output, unless that is large: then it is only in the run's history
     */
    public record StepState(
            String id,
            String kind,
            StepStatus status,
            Optional<Instant> startedAt,
            Optional<Instant> endedAt,
            Optional<Instant> wakeAt,
            String note,
            String failure,
            Optional<Object> output) {

        StepState ended() {
            boolean begun = status != StepStatus.PENDING;
            return new StepState(
                    id,
                    kind,
                    begun ? StepStatus.CANCELLED : StepStatus.SKIPPED,
                    startedAt,
                    endedAt,
                    Optional.empty(),
                    begun ? note : "the run has ended without it",
                    failure,
                    output);
        }

        /** Returns one line about the step. */
        String line() {
            if (wakeAt.isPresent()) {
                return "until " + wakeAt.get() + (note.isEmpty() ? "" : ", " + note);
            }
            return failure.isEmpty() ? note : failure;
        }

        @Override
        public String toString() {
            return id + " " + status + " " + line();
        }
    }

    /**
     * Returns the step with this id.
     *
     * @throws DormouseException BAD_ARGUMENT if the DAG has no such step
     */
    public StepState step(String id) {
        return steps.stream()
                .filter(step -> step.id.equals(id))
                .findFirst()
                .orElseThrow(() -> new DormouseException(
                        ErrorCode.BAD_ARGUMENT,
                        "Expected a step of DAG '" + dag + "', one of "
                                + steps.stream().map(StepState::id).toList() + ", but got '" + id + "'."));
    }

    /**
     * Returns this state after the end of the run: steps that were in progress are cancelled, pending steps are
     * skipped.
     */
    DagState ended() {
        return new DagState(
                dag,
                version,
                steps.stream()
                        .map(step -> step.status.isOver() ? step : step.ended())
                        .toList());
    }

    static DagState of(String json) {
        Map<?, ?> tree = (Map<?, ?>) Objects.requireNonNull(JsonTree.parse(json));
        List<StepState> steps = new ArrayList<>();
        if (tree.get("steps") instanceof List<?> trees) {
            trees.forEach(step -> steps.add(step((Map<?, ?>) step)));
        }
        int version = tree.get("version") instanceof Integer number ? number : 0;
        return new DagState(text(tree, "dag"), version, List.copyOf(steps));
    }

    private static StepState step(Map<?, ?> tree) {
        return new StepState(
                text(tree, "id"),
                text(tree, "kind"),
                StepStatus.valueOf(text(tree, "status")),
                instant(tree, "startedAt"),
                instant(tree, "endedAt"),
                instant(tree, "wakeAt"),
                text(tree, "note"),
                text(tree, "failure"),
                Optional.ofNullable((@Nullable Object) tree.get("output")));
    }

    private static String text(Map<?, ?> tree, String name) {
        return tree.get(name) instanceof String text ? text : "";
    }

    private static Optional<Instant> instant(Map<?, ?> tree, String name) {
        return Optional.of(text(tree, name)).filter(text -> !text.isEmpty()).map(Instant::parse);
    }
}
