package dev.dormouse.internal.engine.command;

import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.internal.history.SharedHistory;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.RunRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of its history that a failed run shares with its retry: everything before the event that led to the
 * failure. That event is
 *
 * <ul>
 *   <li>the last failed step, or the request of a child, that is among the causes of the failure;
 *   <li>otherwise the last failed step, if no other step has completed and no timer or wait has expired since;
 *   <li>otherwise none: the code itself has failed, and everything is shared.
 * </ul>
 *
 * <p>Earlier attempts of the failed step are left out, so that it has all its attempts again.
 */
final class RetryPoint {
    private final List<Event> history;
    private final SharedHistory all;

    private RetryPoint(RunRow run, List<Event> history) {
        this.history = history;
        this.all = shared(run, history, SharedHistory.most(history), SharedHistory.NONE);
    }

    private static SharedHistory shared(RunRow run, List<Event> history, int events, int again) {
        return new SharedHistory(run.runId(), history, run.consumed(), events, again);
    }

    static SharedHistory of(RunRow run, List<Event> history) {
        int most = SharedHistory.most(history);
        int events = history.get(history.size() - 1) instanceof Event.RunFailed end
                ? new RetryPoint(run, history).find(end.failure(), most)
                : most;
        int again = history.get(events) instanceof Event.StepFailed step ? step.call() : SharedHistory.NONE;
        return shared(run, history, events, again);
    }

    private int find(Failure end, int most) {
        for (int i = most - 1; i > 0; i--) {
            int cause = cause(i, end);
            if (cause > 0) {
                return cause;
            }
        }
        for (int i = most - 1; i > 0 && !isProgress(history.get(i)); i--) {
            if (history.get(i) instanceof Event.StepFailed) {
                return i;
            }
        }
        return most;
    }

    /**
     * Returns the index of the event to retry from, if the event at {@code index} is a cause of {@code end};
     * otherwise 0.
     */
    private int cause(int index, Failure end) {
        Event event = history.get(index);
        if (event instanceof Event.StepFailed step) {
            return isAmong(step.failure(), end) ? index : 0;
        } else if (event instanceof Event.MailReceived received) {
            for (InboxMessage item : received.items()) {
                if (all.callOfEnded(item) >= 0 && isAmong(failure(item), end)) {
                    return request(all.callOfEnded(item), index);
                }
            }
        }
        return 0;
    }

    private static @Nullable Failure failure(InboxMessage item) {
        Message.ChildEnded ended = (Message.ChildEnded) MessageCodec.decode(item.kind(), item.payload());
        return ended.end() instanceof Event.RunFailed failed ? failed.failure() : null;
    }

    private int request(int call, int before) {
        for (int i = before - 1; i > 0; i--) {
            if (history.get(i) instanceof Event.ChildRequested child && child.call() == call) {
                return i;
            }
        }
        return 0;
    }

    private static boolean isAmong(@Nullable Failure wanted, Failure end) {
        for (@Nullable Failure cause = end; wanted != null && cause != null; cause = cause.cause()) {
            if (cause.type().equals(wanted.type()) && cause.message().equals(wanted.message())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isProgress(Event event) {
        return event instanceof Event.StepCompleted
                || event instanceof Event.TimerFired
                || event instanceof Event.WaitTimedOut
                || event instanceof Event.MailReceived received
                        && received.items().stream().anyMatch(item -> item.kind() == Message.STEP_ENDED);
    }
}
