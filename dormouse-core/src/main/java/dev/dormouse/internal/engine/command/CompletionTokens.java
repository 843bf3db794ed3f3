package dev.dormouse.internal.engine.command;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.RunRow;
import java.util.List;

/** Whether anybody waits for the end of a step that was handed out. That it was is recorded before anybody has the token. */
public final class CompletionTokens {
    private CompletionTokens() {}

    /** Throws unless a step of the run with this history waits for this end. */
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
                "Expected the token of an activity that waits for its end, but nobody has handed this one out. "
                        + "Use the text that Activity.completeLater() returned, as it is.");
    }

    public static DormouseException used() {
        return new DormouseException(
                ErrorCode.TOKEN_USED,
                "Expected an activity that waits for its end, but it is over: it was completed or failed before, perhaps "
                        + "by an earlier try of this call, its time was up, or its workflow went on without it. "
                        + "There is nothing more to do.");
    }
}
