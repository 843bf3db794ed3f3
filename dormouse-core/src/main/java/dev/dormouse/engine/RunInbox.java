package dev.dormouse.engine;

import dev.dormouse.history.Event;
import dev.dormouse.history.Message;
import dev.dormouse.store.Mail;
import dev.dormouse.store.RunRow;
import dev.dormouse.store.StoreException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The mail of one run, as far as this node has read it, in order of acceptance. Belongs to the run's thread, but for
 * {@link #arrived} and {@link #look}, by which others tell that there may be more.
 */
final class RunInbox {
    private static final int AT_ONCE = 1_000;
    private static final int STARTED_AGAIN = new Message.StartedAgain(List.of()).kind();
    private static final int CANCEL = new Message.Cancel(null, "").kind();

    private final Engine engine;
    private final RunRow row;
    private final ArrayDeque<Mail> unread = new ArrayDeque<>();
    private final AtomicLong counter;
    private volatile boolean poked;
    private volatile long seen;

    RunInbox(Engine engine, RunRow row, List<Event> recorded) {
        this.engine = engine;
        this.row = row;
        this.counter = new AtomicLong(row.mail());
        this.seen = Math.max(row.consumed(), consumed(recorded));
    }

    private static long consumed(List<Event> events) {
        long position = 0;
        for (Event event : events) {
            if (event instanceof Event.MailReceived received) {
                position = received.items().get(received.items().size() - 1).position();
            }
        }
        return position;
    }

    /** The position of the last item that was read. */
    long seen() {
        return seen;
    }

    /** The run's mail counter stands here now; tells whether that is news. */
    boolean arrived(long position) {
        return counter.getAndAccumulate(position, Math::max) < position;
    }

    /** Something may have come in. */
    void look() {
        poked = true;
    }

    /** Whether there may be mail that was not read. */
    boolean hasNews() {
        return poked || counter.get() > seen;
    }

    /** Reads what is new, if enough of what was read has been taken. */
    void read() {
        if (!hasNews() || unread.size() >= AT_ONCE) {
            return;
        }
        poked = false;
        List<Mail> items = engine.persist(() -> engine.store().mail(row.shard(), row.workflowId(), seen, AT_ONCE));
        unread.addAll(items);
        if (!items.isEmpty()) {
            seen = items.get(items.size() - 1).position();
        }
    }

    /** Whether a cancel request is among what was not read yet. May be asked by any thread. */
    boolean holdsCancel() {
        try {
            return engine.store().mail(row.shard(), row.workflowId(), seen, AT_ONCE).stream()
                    .anyMatch(item -> item.kind() == CANCEL);
        } catch (StoreException noAnswer) {
            return false; // it is read when the step is over
        }
    }

    Mail take() {
        return unread.remove();
    }

    boolean isEmpty() {
        return unread.isEmpty();
    }

    /** When the last start that came after the first was accepted; this instant where there is none. */
    Instant lastAccepted(Instant first) {
        Instant last = first;
        for (Mail item : unread) {
            if (item.kind() == STARTED_AGAIN && item.acceptedAt().isAfter(last)) {
                last = item.acceptedAt();
            }
        }
        return last;
    }

    /** Whether the next item was accepted before a deadline. */
    boolean comesBefore(Instant deadline) {
        Mail next = unread.peek();
        return next != null && next.acceptedAt().isBefore(deadline);
    }
}
