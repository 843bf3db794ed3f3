package dev.dormouse.server.timeline;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.server.timeline.Timeline.Kind;
import dev.dormouse.server.timeline.Timeline.State;
import dev.dormouse.store.run.InboxMessage;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Rows for received messages: signals, events, updates, cancellation requests, and results of children. */
final class MessageRows {
    private static final String EVENT = "dormouse.event";
    private static final String USED = "dormouse.event.used";
    private static final String MOVE_TIMER = "dormouse.timer";
    private static final String MOVE_WAIT = "dormouse.wait";

    private final List<RowBuilder> drafts;
    private final Map<Integer, RowBuilder> calls;
    private final Map<Long, RowBuilder> updates = new HashMap<>();

    MessageRows(List<RowBuilder> drafts, Map<Integer, RowBuilder> calls) {
        this.drafts = drafts;
        this.calls = calls;
    }

    /**
     * Adds the rows of received messages.
     *
     * @param before the time of the previous event
     * @param waited true if nothing else was under way, so that the run has waited for this since then
     */
    void received(Event.MailReceived event, Instant before, boolean waited) {
        for (InboxMessage item : event.items()) {
            try {
                read(item, event.at(), waited ? before : event.at());
            } catch (DormouseException notReadable) {
                put(new RowBuilder(Kind.signal, "mail of a newer kind")).bar(event.at(), event.at(), State.done, 1, "");
            }
        }
    }

    /** Adds the rows of updates with which the run was started. */
    void startedWith(Event.RunStarted event) {
        for (InboxMessage item : event.origin().mail()) {
            if (item.kind() == Message.UPDATE) {
                Message.Update update = (Message.Update) MessageCodec.decode(item.kind(), item.payload());
                open(item, update, event.at());
            }
        }
    }

    private void open(InboxMessage item, Message.Update update, Instant since) {
        RowBuilder row = new RowBuilder(Kind.update, name(update)).open(since, null, State.running, 1, "");
        updates.put(item.position(), put(row));
    }

    private void read(InboxMessage item, Instant at, Instant since) {
        Message message = MessageCodec.decode(item.kind(), item.payload());
        if (message instanceof Message.Signal signal) {
            signal(signal, since, at);
        } else if (message instanceof Message.Update update) {
            open(item, update, item.acceptedAt());
        } else if (message instanceof Message.Cancel cancel) {
            put(new RowBuilder(Kind.signal, "cancel")).bar(since, at, State.done, 1, Excerpt.of(cancel.reason()));
        } else if (message instanceof Message.ChildEnded ended) {
            ended(ended, at);
        } else if (message instanceof Message.StepEnded end && end.problem() == null) {
            handedIn(end, at);
        }
    }

    private void handedIn(Message.StepEnded end, Instant at) {
        RowBuilder step = calls.get(end.call());
        if (step != null && step.isOpen()) {
            step.end(at, State.done, "");
            step.result(Excerpt.of(end.result()));
        }
    }

    private void signal(Message.Signal signal, Instant since, Instant at) {
        boolean isEvent = signal.name().equals(EVENT);
        if (!signal.name().equals(USED)) {
            RowBuilder draft =
                    new RowBuilder(isEvent ? Kind.event : Kind.signal, isEvent ? event(signal) : signal.name());
            put(draft).bar(since, at, State.done, 1, "");
            signal.arguments().stream()
                    .filter(argument -> !isEvent)
                    .map(Excerpt::of)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .ifPresent(draft::result);
        }
    }

    /** Returns the name of an event, which is the second argument of the signal that delivers it. */
    private static String event(Message.Signal signal) {
        String name = signal.arguments().size() < 2
                ? null
                : Excerpt.of(signal.arguments().get(1));
        return name == null ? "event" : name.replaceAll("^\"|\"$", "");
    }

    private static String name(Message.Update update) {
        if (update.name().equals(MOVE_WAIT)) {
            return "move a deadline";
        } else if (!update.name().equals(MOVE_TIMER) || update.arguments().isEmpty()) {
            return update.name();
        }
        Payload timer = update.arguments().get(0);
        return "move timer " + Objects.requireNonNullElse(Excerpt.of(timer), "");
    }

    private void ended(Message.ChildEnded ended, Instant at) {
        RowBuilder child = calls.get(ended.call());
        if (child != null && child.isOpen()) {
            boolean isGood = ended.end() instanceof Event.RunCompleted;
            child.end(at, isGood ? State.done : State.failed, "");
            child.result(
                    ended.end() instanceof Event.RunCompleted e
                            ? Excerpt.of(e.result())
                            : Excerpt.of(ended.end().summary()));
        }
    }

    void answered(Event.UpdateAnswered event) {
        RowBuilder update = updates.remove(event.position());
        if (update != null && update.isOpen()) {
            boolean isGood = event.failure() == null;
            update.end(event.at(), isGood ? State.done : State.failed, event.rejected() ? "rejected" : "");
            update.result(isGood ? Excerpt.of(event.result()) : Excerpt.of(String.valueOf(event.failure())));
        }
    }

    private RowBuilder put(RowBuilder draft) {
        drafts.add(draft);
        return draft;
    }
}
