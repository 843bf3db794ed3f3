package dev.dormouse.replay;

import dev.dormouse.history.Message;
import dev.dormouse.history.MessageCodec;
import dev.dormouse.store.Mail;
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
 * The mail of a run on its way to the code that handles it: kept until there is such code, then handed over item by
 * item, in order.
 */
final class Mailroom {
    private final ArrayDeque<Mail> incoming = new ArrayDeque<>();
    private final List<Letter> early = new ArrayList<>();
    private final Set<String> startedWith = new HashSet<>();
    private final TreeSet<Long> unanswered = new TreeSet<>();
    private @Nullable Consumer<Letter> reader;
    private boolean hasTakenLateMail;

    /** What came in with the start is there before all else; sent once more it is the same. */
    void startWith(List<Mail> items) {
        for (Mail item : items) {
            startedWith.add(item.key());
            if (letter(item).message() instanceof Message.Signal) {
                early.add(letter(item));
            }
        }
    }

    void add(List<Mail> items) {
        incoming.addAll(items);
    }

    boolean isEmpty() {
        return incoming.isEmpty();
    }

    Mail next() {
        return incoming.remove();
    }

    boolean isKnown(Mail item) {
        return startedWith.contains(item.key());
    }

    /** @param deadline when the run's time is up, null for never */
    void note(Mail item, @Nullable Instant deadline) {
        hasTakenLateMail |= deadline != null && !item.acceptedAt().isBefore(deadline);
    }

    /** Whether an item was accepted when the run's time was up. */
    boolean hasTakenLateMail() {
        return hasTakenLateMail;
    }

    static Letter letter(Mail item) {
        return new Letter(item.position(), MessageCodec.decode(item.kind(), item.payload()));
    }

    /** Hands it to the code that reads signals and updates, when there is such. */
    void hand(Letter letter) {
        if (letter.message() instanceof Message.Update) {
            unanswered.add(letter.position());
        }
        if (reader == null) {
            early.add(letter);
        } else {
            reader.accept(letter);
        }
    }

    /** From now on there is code that reads; what it has missed is given back. */
    List<Letter> open(Consumer<Letter> newReader) {
        reader = newReader;
        List<Letter> missed = List.copyOf(early);
        early.clear();
        return missed;
    }

    void answered(long position) {
        unanswered.remove(position);
    }

    /** The positions of updates that have no answer. */
    List<Long> unanswered() {
        return List.copyOf(unanswered);
    }
}
