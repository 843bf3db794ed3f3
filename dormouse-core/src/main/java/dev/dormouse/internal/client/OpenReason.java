package dev.dormouse.internal.client;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.Sentence;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WaitDescription;
import dev.dormouse.internal.engine.Node;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.run.OpenStep;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.store.run.RunRow;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/** The reason why a run is still open, in sentences for the caller that waited for its result. */
record OpenReason(Node node, RunCalls calls, Payloads payloads) {
    private static final String UNAFFECTED = "The run is not affected.";
    private static final int MOST_NAMED = 3;

    /** Returns the rest of the sentence that follows "but", and the recommended action. */
    String of(String workflowId, UUID runId) {
        RunRow row = node.find(workflowId, runId);
        if (row.status() == RunStatus.CONTINUED) {
            row = node.current(workflowId).orElse(row);
        }
        if (row.status() == RunStatus.STUCK) {
            return "it is stuck: " + row.trouble();
        }
        String trouble = node.trouble(row);
        if (!trouble.isEmpty()) {
            return "it is not executed. " + trouble;
        }
        try {
            return describe(row);
        } catch (DormouseException notKnown) {
            return openWithStatus(row) + " Wait longer. " + UNAFFECTED;
        }
    }

    private String describe(RunRow row) {
        List<OpenStep> steps = node.openSteps(row);
        Optional<OpenStep> failing =
                steps.stream().filter(step -> step.failure() != null).findFirst();
        if (failing.isPresent()) {
            return failing(failing.get());
        }
        Optional<OpenStep> handedOut =
                steps.stream().filter(OpenStep::handedOut).findFirst();
        if (handedOut.isPresent()) {
            return "step '" + handedOut.get().name() + "' waits for Dormouse.completeActivity with its token. "
                    + UNAFFECTED;
        }
        List<WaitDescription> waits = Descriptions.isDelayed(row)
                ? List.of(Descriptions.delayedStart(row))
                : node.hasCode(row.type()) ? calls.waits(row.workflowId(), row.runId()) : List.of();
        return waits.isEmpty()
                ? openWithStatus(row) + " Wait longer. " + UNAFFECTED
                : "it waits for " + waits(waits) + ". " + UNAFFECTED;
    }

    private String failing(OpenStep step) {
        Failure failure = payloads.open(Objects.requireNonNull(step.failure()));
        String next = step.nextAt() == null
                ? "Attempt " + step.attempt() + " is under way."
                : "The next attempt begins at " + step.nextAt() + ".";
        return "step '" + step.name() + "' failed"
                + (step.nextAt() == null ? "" : " in attempt " + step.attempt()) + " with "
                + failure.sentence() + (step.looksLikeABug() ? " This looks like a bug. " : " ") + next
                + " Find the cause of the failure; the run continues as soon as an attempt succeeds.";
    }

    private static String openWithStatus(RunRow row) {
        return Sentence.of("it is still open (" + row.status() + ")");
    }

    private static String waits(List<WaitDescription> waits) {
        String named = waits.stream().limit(MOST_NAMED).map(OpenReason::wait).collect(Collectors.joining(", and for "));
        return waits.size() <= MOST_NAMED ? named : named + ", and for " + (waits.size() - MOST_NAMED) + " more";
    }

    private static String wait(WaitDescription wait) {
        String what = switch (wait.kind()) {
            case START -> "its delayed start";
            case SLEEP -> "the end of a sleep";
            case TIMER -> "a timer";
            case CONDITION -> "a condition";
            case SIGNAL -> "a signal";
            case EVENT -> "an event";
            case STEP -> "step";
            case CHILD -> "child";
        };
        return what
                + (wait.name().isEmpty() ? "" : " '" + wait.name() + "'")
                + wait.until().map(until -> " until " + until).orElse("")
                + (wait.at().isEmpty() ? "" : " at " + wait.at());
    }
}
