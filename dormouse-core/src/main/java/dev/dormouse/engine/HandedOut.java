package dev.dormouse.engine;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Event;
import dev.dormouse.history.Message;
import dev.dormouse.store.RunRow;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Whether anybody waits for the end of a step that was handed out. A token may be used before the step that made it has
 * returned; until then nothing is known of it.
 */
final class HandedOut {
    private HandedOut() {}

    static void check(Node node, String workflowId, Message.StepEnded end) {
        RunRow current = node.current(workflowId).orElseThrow(HandedOut::unknown);
        if (current.status().isClosed()) {
            throw used();
        }
        List<Event> history = node.history(workflowId, current.runId());
        if (!current.runId().equals(end.runId()) && !shares(history, end.token())) {
            throw used();
        }
        UUID last = null;
        for (Event event : history) {
            if (event instanceof Event.StepHandedOut out && out.call() == end.call()) {
                last = out.token();
            } else if (isEnd(event, end.call())
                    || event instanceof Event.StepPostponed later
                            && later.call() == end.call()
                            && isToken(last, end.token())) {
                throw used();
            }
        }
        if (last != null && !isToken(last, end.token())) {
            throw unknown();
        }
    }

    /** Whether a run that was reset has handed it out in the part of its history that it shares. */
    private static boolean shares(List<Event> history, UUID token) {
        return history.stream()
                .anyMatch(event ->
                        event instanceof Event.StepHandedOut out && out.token().equals(token));
    }

    private static boolean isToken(@Nullable UUID last, UUID token) {
        return token.equals(last);
    }

    private static boolean isEnd(Event event, int call) {
        return event instanceof Event.StepCompleted done && done.call() == call
                || event instanceof Event.StepFailed failed && failed.call() == call;
    }

    private static DormouseException unknown() {
        return new DormouseException(
                ErrorCode.BAD_TOKEN,
                "Expected the token of an activity that waits for its end, but nobody has handed this one out. "
                        + "Use the text that Activity.completeLater() returned, as it is.");
    }

    static DormouseException used() {
        return new DormouseException(
                ErrorCode.TOKEN_USED,
                "Expected an activity that waits for its end, but it is over: it was completed or failed before, perhaps "
                        + "by an earlier try of this call, its time was up, or its workflow went on without it. "
                        + "There is nothing more to do.");
    }
}
