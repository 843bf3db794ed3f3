package dev.dormouse.server.view;

import dev.dormouse.codec.Payload;
import dev.dormouse.dag.run.ApprovalToken;
import dev.dormouse.dag.run.DagWorkflow;
import dev.dormouse.error.DormouseException;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.store.run.InboxMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A filter that removes tokens from histories. The holder of an approval's token can decide the approval. A DAG run
 * records the token when it creates one and again when it is used, and a reset run waits for the same token again.
 */
public final class TokenRedactor {
    private static final UUID NO_TOKEN = new UUID(0, 0);
    private static final Payload REDACTED = new Payload("json", "\"…\"".getBytes(StandardCharsets.UTF_8));

    private TokenRedactor() {}

    /**
     * Returns the events without the tokens of approvals.
     *
     * @param events the events of one run, from the first on
     */
    public static List<Event> redact(List<Event> events) {
        boolean isDag = !events.isEmpty()
                && events.get(0) instanceof Event.RunStarted started
                && started.type().startsWith(DagWorkflow.FAMILY + ":");
        return isDag ? events.stream().map(TokenRedactor::event).toList() : events;
    }

    /**
     * Returns the events without tokens of approvals and of steps that were handed out. All tokens become the same, so
     * each still matches its answer and the history can be replayed.
     */
    public static List<Event> redactForReplay(List<Event> events) {
        return redact(events).stream().map(TokenRedactor::handedOut).toList();
    }

    private static Event handedOut(Event event) {
        if (event instanceof Event.StepHandedOut e) {
            return new Event.StepHandedOut(e.at(), e.call(), e.name(), e.tried(), NO_TOKEN);
        } else if (event instanceof Event.MailReceived e) {
            return new Event.MailReceived(
                    e.at(), e.items().stream().map(TokenRedactor::handedIn).toList());
        }
        return event;
    }

    private static InboxMessage handedIn(InboxMessage item) {
        return message(item) instanceof Message.StepEnded end
                ? with(item, new Message.StepEnded(end.runId(), end.call(), NO_TOKEN, end.result(), end.problem()))
                : item;
    }

    private static Event event(Event event) {
        if (event instanceof Event.StepCompleted e && e.name().startsWith(ApprovalToken.STEP)) {
            return new Event.StepCompleted(e.at(), e.call(), e.name(), e.startedAt(), REDACTED);
        } else if (event instanceof Event.MailReceived e) {
            return new Event.MailReceived(
                    e.at(), e.items().stream().map(TokenRedactor::mail).toList());
        }
        return event;
    }

    private static InboxMessage mail(InboxMessage item) {
        return message(item) instanceof Message.Update update && isDecision(update)
                ? with(item, withoutSecret(update))
                : item;
    }

    private static boolean isDecision(Message.Update update) {
        return update.name().equals(DagWorkflow.DECIDE) && update.arguments().size() > DagWorkflow.SECRET;
    }

    private static Message.Update withoutSecret(Message.Update update) {
        List<Payload> arguments = new ArrayList<>(update.arguments());
        arguments.set(DagWorkflow.SECRET, REDACTED);
        return new Message.Update(update.name(), arguments);
    }

    /** Returns null for a message that a newer Dormouse has sent. */
    private static @Nullable Message message(InboxMessage item) {
        try {
            return MessageCodec.decode(item.kind(), item.payload());
        } catch (DormouseException newer) {
            return null;
        }
    }

    private static InboxMessage with(InboxMessage item, Message message) {
        return new InboxMessage(
                item.position(), item.key(), item.kind(), item.acceptedAt(), MessageCodec.encode(message));
    }

    /**
     * Returns the JSON of a payload without the tokens in it, such as the input of the code that asks for an approval.
     */
    public static String redact(String json) {
        return ApprovalToken.LOOK.matcher(json).replaceAll("…");
    }
}
