package dev.dormouse.replay;

import dev.dormouse.codec.Payload;
import dev.dormouse.history.Event;
import dev.dormouse.history.Message;
import dev.dormouse.history.MessageCodec;
import dev.dormouse.store.Mail;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a run was started with, also by starts that came later: in time they are its input, else that of a run after it. */
final class RunInput {
    private List<Payload> input;
    private @Nullable List<Payload> again;
    private boolean begun;

    RunInput(Event.RunStarted started) {
        input = started.input();
        for (Mail item : started.origin().mail()) {
            if (Mailroom.letter(item).message() instanceof Message.StartedAgain late) {
                again = late.input(); // too late for the run that continued as this one
            }
        }
    }

    List<Payload> get() {
        return input;
    }

    /** What comes from now on is too late. */
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

    /** The input of a run after this one; null where none was asked for. */
    @Nullable
    List<Payload> again() {
        return again;
    }

    /** What a run that continues leaves to the next: signals that nobody has read, and starts that came too late. */
    List<Mail> left(UUID runId, Instant now, List<Message.Signal> unread) {
        List<Message> messages = new ArrayList<>(unread);
        if (again != null) {
            messages.add(new Message.StartedAgain(again));
        }
        List<Mail> items = new ArrayList<>();
        for (Message message : messages) {
            String key = runId + " left " + items.size();
            items.add(new Mail(0, key, message.kind(), now, MessageCodec.encode(message)));
        }
        return items;
    }
}
