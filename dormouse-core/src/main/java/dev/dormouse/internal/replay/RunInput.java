package dev.dormouse.internal.replay;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.store.run.InboxMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The input of a run. A further start that arrives before the run begins replaces it. One that arrives later is the
 * input of a run that follows this one.
 */
final class RunInput {
    private List<Payload> input;
    private @Nullable List<Payload> again;
    private boolean begun;

    RunInput(Event.RunStarted started) {
        input = started.input();
        for (InboxMessage item : started.origin().mail()) {
            if (PendingMessages.decode(item).message() instanceof Message.StartedAgain late) {
                again = late.input(); // too late for the run that continued as this one
            }
        }
    }

    List<Payload> get() {
        return input;
    }

    /** Marks the beginning of the run: further starts are too late from now on. */
    void begin(boolean hasBegun) {
        begun = hasBegun;
    }

    void startedAgain(List<Payload> newInput) {
        if (begun) {
            again = newInput;
        } else {
            input = newInput;
        }
    }

    /** Returns the input of a run that follows this one; null if there was no such start. */
    @Nullable
    List<Payload> again() {
        return again;
    }

    /**
     * Returns the mail that a run that continues as new leaves to its successor: unread signals, and a start that came
     * too late.
     */
    List<InboxMessage> left(UUID runId, Instant now, List<Message.Signal> unread) {
        List<Message> messages = new ArrayList<>(unread);
        if (again != null) {
            messages.add(new Message.StartedAgain(again));
        }
        List<InboxMessage> items = new ArrayList<>();
        for (Message message : messages) {
            String key = runId + " left " + items.size();
            items.add(new InboxMessage(0, key, message.kind(), now, MessageCodec.encode(message)));
        }
        return items;
    }
}
