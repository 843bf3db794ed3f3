package dev.dormouse.server.timeline;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.history.Event;
import dev.dormouse.history.Message;
import dev.dormouse.history.MessageCodec;
import dev.dormouse.server.timeline.Timeline.Kind;
import dev.dormouse.server.timeline.Timeline.State;
import dev.dormouse.store.Mail;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What came in the mail: signals, events, updates, requests to cancel, the ends of children. */
final class MailRows {
    private static final String EVENT = "dormouse.event";
    private static final String USED = "dormouse.event.used";
    private static final String MOVE_TIMER = "dormouse.timer";
    private static final String MOVE_WAIT = "dormouse.wait";

    private final List<Draft> drafts;
    private final Map<Integer, Draft> calls;
    private final Map<Long, Draft> updates = new HashMap<>();

    MailRows(List<Draft> drafts, Map<Integer, Draft> calls) {
        this.drafts = drafts;
        this.calls = calls;
    }

    /**
     * @param before when the event before was
     * @param waited whether nothing else was under way, so that the run has waited for this since then
     */
    void received(Event.MailReceived event, Instant before, boolean waited) {
        for (Mail item : event.items()) {
            try {
                read(item, event.at(), waited ? before : event.at());
            } catch (DormouseException notReadable) {
                put(new Draft(Kind.signal, "mail of a newer kind")).bar(event.at(), event.at(), State.done, 1, "");
            }
        }
    }

    private void read(Mail item, Instant at, Instant since) {
        Message message = MessageCodec.decode(item.kind(), item.payload());
        if (message instanceof Message.Signal signal) {
            signal(signal, since, at);
        } else if (message instanceof Message.Update update) {
            updates.put(
                    item.position(),
                    put(new Draft(Kind.update, name(update))).open(item.acceptedAt(), null, State.running, 1, ""));
        } else if (message instanceof Message.Cancel cancel) {
            put(new Draft(Kind.signal, "cancel")).bar(since, at, State.done, 1, Brief.of(cancel.reason()));
        } else if (message instanceof Message.ChildEnded ended) {
            ended(ended, at);
        } else if (message instanceof Message.StepEnded end && end.problem() == null) {
            handedIn(end, at);
        }
    }

    private void handedIn(Message.StepEnded end, Instant at) {
        Draft step = calls.get(end.call());
        if (step != null && step.isOpen()) {
            step.end(at, State.done, "");
            step.result(Brief.of(end.result()));
        }
    }

    private void signal(Message.Signal signal, Instant since, Instant at) {
        boolean isEvent = signal.name().equals(EVENT);
        if (!signal.name().equals(USED)) {
            Draft draft = new Draft(isEvent ? Kind.event : Kind.signal, isEvent ? event(signal) : signal.name());
            put(draft).bar(since, at, State.done, 1, "");
            signal.arguments().stream()
                    .filter(argument -> !isEvent)
                    .map(Brief::of)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .ifPresent(draft::result);
        }
    }

    /** What Dormouse sends when an event comes has the event's name as its second argument. */
    private static String event(Message.Signal signal) {
        String name = signal.arguments().size() < 2
                ? null
                : Brief.of(signal.arguments().get(1));
        return name == null ? "event" : name.replaceAll("^\"|\"$", "");
    }

    private static String name(Message.Update update) {
        if (update.name().equals(MOVE_WAIT)) {
            return "move a deadline";
        } else if (!update.name().equals(MOVE_TIMER) || update.arguments().isEmpty()) {
            return update.name();
        }
        Payload timer = update.arguments().get(0);
        return "move timer " + Objects.requireNonNullElse(Brief.of(timer), "");
    }

    private void ended(Message.ChildEnded ended, Instant at) {
        Draft child = calls.get(ended.call());
        if (child != null && child.isOpen()) {
            boolean isGood = ended.end() instanceof Event.RunCompleted;
            child.end(at, isGood ? State.done : State.failed, "");
            child.result(
                    ended.end() instanceof Event.RunCompleted e
                            ? Brief.of(e.result())
                            : Brief.of(ended.end().summary()));
        }
    }

    void answered(Event.UpdateAnswered event) {
        Draft update = updates.remove(event.position());
        if (update != null && update.isOpen()) {
            boolean isGood = event.failure() == null;
            update.end(event.at(), isGood ? State.done : State.failed, event.rejected() ? "rejected" : "");
            update.result(isGood ? Brief.of(event.result()) : Brief.of(String.valueOf(event.failure())));
        }
    }

    private Draft put(Draft draft) {
        drafts.add(draft);
        return draft;
    }
}
