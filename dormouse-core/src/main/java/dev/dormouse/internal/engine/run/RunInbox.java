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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The messages of one run, as far as this node has read them, in order of acceptance.
 *
 * <p><b>Order.</b> The store decides the order of signals, updates, cancel requests and ends of children. It accepts
 * a message under the lock of the run's row and gives it the next position of the row's mail counter. The run reads
 * and takes messages by position. An acceptance time earlier than that of the message before it (the clock was set
 * back) is raised, so that times never contradict positions.
 *
 * <p><b>No message is missed.</b> Notifications are best effort. Commits and renewals also return the mail counter,
 * and the commit of a pause or end is refused if the counter is higher than {@link #seen}. The same holds for a commit
 * that records a passed deadline. So a lost notification delays a message but does not lose it.
 *
 * <p><b>Messages from this node.</b> The node that delivers a message knows all of it when the store has accepted it. If
 * the run is on the same node, the message is offered to this inbox, and the run takes it from there without a query. If
 * a message before it was not offered, all of them are read from the store.
 *
 * <p><b>Threads.</b> Confined to the run's thread, except {@link #offer}, {@link #arrived}, {@link #look}, {@link
 * #mayHaveUnread} and {@link #peek}. A reader may see an outdated answer; the caller then reads once too often, or is notified again.
 */
final class RunInbox {
    private static final int AT_ONCE = 1_000;

    /** The bounds of what is kept for a run that does not take its messages, for example because it executes a step. */
    private static final int MOST_OFFERED = 16;

    private static final int MOST_OFFERED_BYTES = 1_024;

    private final NodeContext context;
    private final RunRow row;
    private final ArrayDeque<InboxMessage> untaken = new ArrayDeque<>();
    private final Map<Long, InboxMessage> offered = new ConcurrentHashMap<>();
    private final AtomicLong counter;
    private volatile boolean mustQuery;
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

    /** Returns the position of the last message that was read from the store. */
    long seen() {
        return seen;
    }

    /**
     * Reports that the run's mail counter has reached {@code position}. Returns true if this node did not know that.
     */
    boolean arrived(long position) {
        return counter.getAndAccumulate(position, Math::max) < position;
    }

    /** Offers a message that the store has accepted in the epoch of this run. Call {@link #arrived} afterwards. */
    void offer(InboxMessage message) {
        if (message.payload().length <= MOST_OFFERED_BYTES && offered.size() < MOST_OFFERED) {
            offered.put(message.position(), message);
        }
    }

    /** Makes the next {@link #read} query the store, because a message may have arrived. */
    void look() {
        mustQuery = true;
    }

    /** Returns true if the store may have messages that were not read. */
    boolean mayHaveUnread() {
        return mustQuery || counter.get() > seen;
    }

    /** Reads new messages, unless {@link #AT_ONCE} messages still wait to be taken. */
    void read() {
        if (!mayHaveUnread() || untaken.size() >= AT_ONCE) {
            return;
        }
        takeOffered();
        if (!mayHaveUnread()) {
            return;
        }
        mustQuery = false;
        List<InboxMessage> items =
                context.persist(() -> context.store().mail(row.shard(), row.workflowId(), seen, AT_ONCE));
        items.forEach(item -> untaken.add(inOrder(item)));
        if (!items.isEmpty()) {
            seen = items.get(items.size() - 1).position();
            mustQuery |= items.stream().mapToLong(item -> item.payload().length).sum()
                    >= InboxMessage.MOST_BYTES; // the store may have more
        }
    }

    private void takeOffered() {
        InboxMessage next = offered.remove(seen + 1);
        while (next != null) {
            untaken.add(inOrder(next));
            seen = next.position();
            next = offered.remove(seen + 1);
        }
        if (!offered.isEmpty()) {
            offered.keySet().removeIf(position -> position <= seen); // the store's answer was faster
        }
    }

    /**
     * Returns the message with an acceptance time that is not before that of the message before it, even if the
     * store's clock was set back.
     */
    private InboxMessage inOrder(InboxMessage item) {
        if (item.acceptedAt().isBefore(lastAccepted)) {
            return new InboxMessage(item.position(), item.key(), item.kind(), lastAccepted, item.payload());
        }
        lastAccepted = item.acceptedAt();
        return item;
    }

    /** Returns messages that were not read yet, without marking them as read. May be called by any thread. */
    List<InboxMessage> peek() {
        try {
            return context.store().mail(row.shard(), row.workflowId(), seen, AT_ONCE);
        } catch (StoreException noAnswer) {
            return List.of(); // the run reads it after the step
        }
    }

    /** Returns true if the next message proves that the store's clock has reached {@code instant}. */
    boolean proves(Instant instant) {
        InboxMessage next = untaken.peek();
        return next != null && !next.acceptedAt().isBefore(instant);
    }

    /** Removes and returns the next message. */
    InboxMessage take() {
        return untaken.remove();
    }

    /** Returns true if no message that was read waits to be taken. */
    boolean isEmpty() {
        return untaken.isEmpty();
    }

    /** Returns when the last repeated (debounced) start was accepted; {@code first} if there is none. */
    Instant lastAccepted(Instant first) {
        Instant last = first;
        for (InboxMessage item : untaken) {
            if (item.kind() == Message.STARTED_AGAIN && item.acceptedAt().isAfter(last)) {
                last = item.acceptedAt();
            }
        }
        return last;
    }

    /** Returns true if the next message was accepted before {@code deadline}. */
    boolean comesBefore(Instant deadline) {
        InboxMessage next = untaken.peek();
        return next != null && next.acceptedAt().isBefore(deadline);
    }
}
