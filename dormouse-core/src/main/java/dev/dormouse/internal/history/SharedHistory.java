package dev.dormouse.internal.history;

import dev.dormouse.store.run.InboxMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The part of a run's history that another run begins with.
 *
 * <p>Whole events are shared, from the first. A run whose first line ran only after an input shares at least the events
 * up to there, so that it does not wait again. Answers to updates that the end of the run gave are not shared, because
 * they do not come from the code. Messages are not copied: the new run reads its workflow id's inbox from where the shared
 * part stops.
 */
public final class SharedHistory {
    /** The call number that stands for no call. */
    public static final int NONE = -1;

    private final UUID runId;
    private final Event.RunStarted started;
    private final List<Event> history;
    private final int events;
    private final int again;
    private final long unreadFrom;

    /**
     * Creates the shared part of a history.
     *
     * @param consumed the position up to which the run has read its inbox, from its row
     * @param wanted the number of events to share, from 1 to {@link #most}
     * @param again the call number of a step whose attempts start over; {@link #NONE} for none
     */
    public SharedHistory(UUID runId, List<Event> history, long consumed, int wanted, int again) {
        this.runId = runId;
        this.started = (Event.RunStarted) history.get(0);
        this.history = history;
        this.events = Math.max(prelude(history), Math.min(wanted, beforeTheEnd(history)));
        this.again = again;
        this.unreadFrom = read(consumed);
    }

    /** Returns the largest number of events that can be shared: all except the closing event. */
    public static int most(List<Event> history) {
        int size = history.size();
        return history.get(size - 1).isClosing() ? size - 1 : size;
    }

    private static int beforeTheEnd(List<Event> history) {
        int end = most(history);
        if (end < history.size()) {
            while (end > 1 && history.get(end - 1) instanceof Event.UpdateAnswered) {
                end--;
            }
        }
        return end;
    }

    /** Returns the number of events before the first line of the code runs. */
    private static int prelude(List<Event> history) {
        for (int i = 1; i < history.size(); i++) {
            if (history.get(i) instanceof Event.RunBegan) {
                return i + 1;
            }
        }
        return 1;
    }

    /** Returns the number of shared events. */
    public int events() {
        return events;
    }

    /** Returns the position of the last inbox item that was read in the shared part, or before the run began. */
    public long mail() {
        return unreadFrom;
    }

    private long read(long consumed) {
        long last = -1;
        for (int i = 0; i < history.size(); i++) {
            if (history.get(i) instanceof Event.MailReceived received) {
                List<InboxMessage> items = received.items();
                if (i >= events) {
                    return items.get(0).position() - 1; // items are read without gaps
                }
                last = items.get(items.size() - 1).position();
            }
        }
        Origin.Reset reset = started.origin().reset();
        return last >= 0 ? last : reset == null ? consumed : reset.mail();
    }

    /** Returns true if the first line of the code has run in it. */
    public boolean hasBegun() {
        return started.startAt() == null || prelude(history) > 1;
    }

    /**
     * Returns the children that were requested in the shared part and have not ended there, with the number of the
     * event.
     */
    public Map<Event.ChildRequested, Integer> openChildren() {
        Map<Integer, Integer> open = new LinkedHashMap<>();
        for (int i = 0; i < events; i++) {
            if (history.get(i) instanceof Event.ChildRequested child) {
                open.put(child.call(), i);
            } else if (history.get(i) instanceof Event.MailReceived received) {
                received.items().forEach(item -> open.remove(callOfEnded(item)));
            }
        }
        Map<Event.ChildRequested, Integer> children = new LinkedHashMap<>();
        open.values().forEach(i -> children.put((Event.ChildRequested) history.get(i), i));
        return children;
    }

    /** Returns the call number of this run's child whose end an item reports; {@link #NONE} if it reports none. */
    public int callOfEnded(InboxMessage item) {
        return item.kind() == Message.CHILD_ENDED
                        && MessageCodec.decode(item.kind(), item.payload()) instanceof Message.ChildEnded ended
                        && started.own(runId, ended).parentRunId().equals(runId)
                ? ended.call()
                : NONE;
    }

    /**
     * Returns the events with which the new run begins.
     *
     * @param at when the run is reset
     * @param deadline when the new run times out; null for never
     */
    public List<Event> startOf(UUID newRunId, Instant at, @Nullable Instant deadline) {
        Origin origin = started.origin()
                .with(new Origin.Reset(runId, started.identity(runId), events, at, unreadFrom, children()));
        List<Event> shared = new ArrayList<>(events);
        shared.add(new Event.RunStarted(
                started.at(), started.type(), started.input(), started.startAt(), deadline, started.memo(), origin));
        for (Event event : history.subList(1, events)) {
            if (!isAttempt(event)) {
                shared.add(event instanceof Event.MailReceived received ? readdressed(received, newRunId) : event);
            }
        }
        return shared;
    }

    /**
     * Returns true for an attempt of the step that starts over. The code does not see attempts: a step is one call,
     * however often it is tried.
     */
    private boolean isAttempt(Event event) {
        return event instanceof Event.StepPostponed later && later.call() == again
                || event instanceof Event.StepHandedOut out && out.call() == again;
    }

    private List<Origin.Child> children() {
        Map<Integer, Origin.Child> children = new LinkedHashMap<>();
        for (Event event : history.subList(0, events)) {
            if (event instanceof Event.ChildRequested child) {
                children.put(child.call(), new Origin.Child(child.call(), runId));
            }
        }
        Origin.Reset reset = started.origin().reset();
        if (reset != null) {
            reset.children().forEach(child -> children.replace(child.call(), child));
        }
        return List.copyOf(children.values());
    }

    /**
     * Returns the event with cancel requests for this run readdressed to the new run, so that they have the same effect
     * on its code.
     */
    private Event readdressed(Event.MailReceived received, UUID newRunId) {
        List<InboxMessage> items = new ArrayList<>();
        for (InboxMessage item : received.items()) {
            items.add(isCancel(item) ? readdressed(item, newRunId) : item);
        }
        return new Event.MailReceived(received.at(), items);
    }

    private boolean isCancel(InboxMessage item) {
        return item.kind() == Message.CANCEL
                && MessageCodec.decode(item.kind(), item.payload()) instanceof Message.Cancel cancel
                && started.chain(runId).equals(cancel.runId());
    }

    private static InboxMessage readdressed(InboxMessage item, UUID newRunId) {
        String reason = ((Message.Cancel) MessageCodec.decode(item.kind(), item.payload())).reason();
        byte[] payload = MessageCodec.encode(new Message.Cancel(newRunId, reason));
        return new InboxMessage(item.position(), item.key(), item.kind(), item.acceptedAt(), payload);
    }
}
