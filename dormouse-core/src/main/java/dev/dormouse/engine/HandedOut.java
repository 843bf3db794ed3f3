package dev.dormouse.engine;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Event;
import dev.dormouse.history.Message;
import dev.dormouse.history.MessageCodec;
import dev.dormouse.store.Mail;
import dev.dormouse.store.RunRow;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a history tells of the tokens of one step: whether anybody waits for the end of it.
 *
 * <p>A token may be used before the attempt that made it has returned; until then nothing is known of it, and any token
 * may be it. That of an attempt which failed after all is never known. And nothing is recorded when the code does not
 * wait for a step any more, so that a token may be taken in vain then.
 */
final class HandedOut {
    private final int call;
    private final Set<UUID> known = new HashSet<>();
    private final Set<UUID> used = new HashSet<>();
    private final Set<UUID> completed = new HashSet<>();
    private @Nullable UUID current;
    private @Nullable Instant nextAt;
    private boolean hasUnknown;
    private boolean isOver;

    private HandedOut(int call) {
        this.call = call;
    }

    static void check(Node node, String workflowId, Message.StepEnded end) {
        RunRow row = node.current(workflowId).orElseThrow(HandedOut::unknown);
        if (row.status().isClosed()) {
            throw used();
        }
        HandedOut step = new HandedOut(end.call());
        node.history(workflowId, row.runId()).forEach(step::apply);
        boolean isShared = step.known.contains(end.token());
        if (!row.runId().equals(end.runId()) && !isShared) {
            throw used();
        }
        step.check(end.token(), node.now());
    }

    private void apply(Event event) {
        if (event instanceof Event.StepHandedOut out && out.call() == call) {
            current = out.token();
            known.add(out.token());
        } else if (event instanceof Event.StepPostponed later && later.call() == call) {
            hasUnknown |= current == null;
            current = null;
            nextAt = later.nextAt();
        } else if (event instanceof Event.StepCompleted done && done.call() == call
                || event instanceof Event.StepFailed failed && failed.call() == call) {
            isOver = true;
        } else if (event instanceof Event.MailReceived received) {
            received.items().forEach(this::apply);
        }
    }

    private void apply(Mail item) {
        if (item.kind() == Message.STEP_ENDED
                && MessageCodec.decode(item.kind(), item.payload()) instanceof Message.StepEnded end
                && end.call() == call) {
            used.add(end.token());
            if (end.problem() == null) {
                completed.add(end.token());
            }
        }
    }

    private void check(UUID token, Instant now) {
        if (isOver || used.contains(token) || current != null && completed.contains(current)) {
            throw used();
        } else if (!token.equals(current) && (known.contains(token) || !isExecuting(now))) {
            throw known.contains(token) || hasUnknown ? used() : unknown();
        }
    }

    /** Whether there may be an attempt that has not returned. */
    private boolean isExecuting(Instant now) {
        return current == null && (nextAt == null || !nextAt.isAfter(now));
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
