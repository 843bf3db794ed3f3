package dev.dormouse.internal.engine.command;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.RunRow;
import java.util.List;

/**
 * The check that a step still waits for the holder of its completion token. The token is committed before its holder
 * gets it.
 */
public final class CompletionTokens {
    private CompletionTokens() {}

    /**
     * Checks that a step of the run waits for this end.
     *
     * @throws DormouseException BAD_TOKEN if the token was never issued, TOKEN_USED if the step has ended
     */
    public static void check(RunRow current, List<Event> history, Message.StepEnded end) {
        boolean known = false;
        boolean awaited = false;
        for (Event event : history) {
            if (event instanceof Event.StepHandedOut out && out.call() == end.call()) {
                awaited = out.token().equals(end.token());
                known |= awaited;
            } else if (event.stepCall() == end.call() || isUseOf(event, end)) {
                awaited = false;
            }
        }
        if (!known && current.runId().equals(end.runId())) {
            throw unknown();
        } else if (!awaited || current.status().isClosed()) {
            throw used();
        }
    }

    private static boolean isUseOf(Event event, Message.StepEnded end) {
        return event instanceof Event.MailReceived received
                && received.items().stream().anyMatch(item -> isUseOf(item, end));
    }

    private static boolean isUseOf(InboxMessage item, Message.StepEnded end) {
        return item.kind() == Message.STEP_ENDED
                && MessageCodec.decode(item.kind(), item.payload()) instanceof Message.StepEnded before
                && before.token().equals(end.token());
    }

    public static DormouseException unknown() {
        return new DormouseException(
                ErrorCode.BAD_TOKEN,
                "Expected the token of an activity that waits for its end, but this token was never issued. "
                        + "Use the text that Activity.completeLater() returned, as it is.");
    }

    public static DormouseException used() {
        return new DormouseException(
                ErrorCode.TOKEN_USED,
                "Expected an activity that waits for its end, but it has ended: it was completed or failed before, "
                        + "perhaps by an earlier try of this call, its time limit has expired, or its workflow no longer "
                        + "waits for it. There is nothing more to do.");
    }
}
