package dev.dormouse.internal.replay;

import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.store.run.InboxMessage;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The received mail of a run on its way to the code that handles it. It is kept until there is such code, then passed
 * on one by one, in order. Belongs to the run's coroutines.
 */
final class PendingMessages {
    private final ArrayDeque<InboxMessage> incoming = new ArrayDeque<>();
    private final List<ReceivedMessage> early = new ArrayList<>();
    private final Set<String> startedWith = new HashSet<>();
    private final TreeSet<Long> unanswered = new TreeSet<>();
    private @Nullable Consumer<ReceivedMessage> reader;
    private boolean hasTakenLateMail;

    /** Adds the messages that came with the start. They come before all others; a repeated delivery of one is ignored. */
    void startWith(List<InboxMessage> messages) {
        for (InboxMessage message : messages) {
            startedWith.add(message.key());
            Message content = decode(message).message();
            if (content instanceof Message.Signal || content instanceof Message.Update) {
                hand(decode(message));
            }
        }
    }

    void add(List<InboxMessage> messages) {
        incoming.addAll(messages);
    }

    boolean isEmpty() {
        return incoming.isEmpty();
    }

    InboxMessage next() {
        return incoming.remove();
    }

    boolean isKnown(InboxMessage message) {
        return startedWith.contains(message.key());
    }

    /**
     * Records that a message was received.
     *
     * @param deadline when the run times out, null for never
     */
    void note(InboxMessage message, @Nullable Instant deadline) {
        hasTakenLateMail |= deadline != null && !message.acceptedAt().isBefore(deadline);
    }

    /** Returns true if a message was accepted at or after the run's deadline. */
    boolean hasTakenLateMail() {
        return hasTakenLateMail;
    }

    static ReceivedMessage decode(InboxMessage message) {
        return new ReceivedMessage(message.position(), MessageCodec.decode(message.kind(), message.payload()));
    }

    /** Passes a signal or update to the code that reads them, or keeps it until there is such code. */
    void hand(ReceivedMessage received) {
        if (received.message() instanceof Message.Update) {
            unanswered.add(received.position());
        }
        if (reader == null) {
            early.add(received);
        } else {
            reader.accept(received);
        }
    }

    /** Sets the code that reads signals and updates from now on. Returns the messages that arrived before. */
    List<ReceivedMessage> open(Consumer<ReceivedMessage> newReader) {
        reader = newReader;
        List<ReceivedMessage> missed = List.copyOf(early);
        early.clear();
        return missed;
    }

    void answered(long position) {
        unanswered.remove(position);
    }

    /** Returns the positions of unanswered updates. */
    List<Long> unanswered() {
        return List.copyOf(unanswered);
    }
}
