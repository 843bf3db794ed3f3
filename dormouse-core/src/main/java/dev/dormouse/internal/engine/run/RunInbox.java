package dev.dormouse.internal.engine.run;

import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.RunRow;
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

    private final NodeContext context;
    private final RunRow row;
    private final ArrayDeque<InboxMessage> unread = new ArrayDeque<>();
    private final AtomicLong counter;
    private volatile boolean poked;
    private volatile long seen;
    private Instant lastAccepted = Instant.EPOCH;

    RunInbox(NodeContext context, RunRow row, List<Event> recorded) {
        this.context = context;
        this.row = row;
        this.counter = new AtomicLong(row.mail());
        Origin.Reset reset = ((Event.RunStarted) recorded.get(0)).origin().reset();
        long last = reset == null ? row.consumed() : reset.mail();
        for (Event event : recorded) {
            if (event instanceof Event.MailReceived received) {
                InboxMessage item = received.items().get(received.items().size() - 1);
                last = Math.max(last, item.position());
                lastAccepted = item.acceptedAt();
            }
        }
        this.seen = last;
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
        List<InboxMessage> items =
                context.persist(() -> context.store().mail(row.shard(), row.workflowId(), seen, AT_ONCE));
        items.forEach(item -> unread.add(inOrder(item)));
        if (!items.isEmpty()) {
            seen = items.get(items.size() - 1).position();
            poked |= items.stream().mapToLong(item -> item.payload().length).sum()
                    >= InboxMessage.MOST_BYTES; // more may be there
        }
    }

    /** What was accepted later counts as later, also if the store's clock was set back in between. */
    private InboxMessage inOrder(InboxMessage item) {
        if (item.acceptedAt().isBefore(lastAccepted)) {
            return new InboxMessage(item.position(), item.key(), item.kind(), lastAccepted, item.payload());
        }
        lastAccepted = item.acceptedAt();
        return item;
    }

    /** What was not read yet, without reading it. May be asked by any thread. */
    List<InboxMessage> peek() {
        try {
            return context.store().mail(row.shard(), row.workflowId(), seen, AT_ONCE);
        } catch (StoreException noAnswer) {
            return List.of(); // it is read when the step is over
        }
    }

    /** Whether the next item is proof that the store's clock has reached an instant. */
    boolean proves(Instant instant) {
        InboxMessage next = unread.peek();
        return next != null && !next.acceptedAt().isBefore(instant);
    }

    InboxMessage take() {
        return unread.remove();
    }

    boolean isEmpty() {
        return unread.isEmpty();
    }

    /** When the last start that came after the first was accepted; this instant where there is none. */
    Instant lastAccepted(Instant first) {
        Instant last = first;
        for (InboxMessage item : unread) {
            if (item.kind() == Message.STARTED_AGAIN && item.acceptedAt().isAfter(last)) {
                last = item.acceptedAt();
            }
        }
        return last;
    }

    /** Whether the next item was accepted before a deadline. */
    boolean comesBefore(Instant deadline) {
        InboxMessage next = unread.peek();
        return next != null && next.acceptedAt().isBefore(deadline);
    }
}
