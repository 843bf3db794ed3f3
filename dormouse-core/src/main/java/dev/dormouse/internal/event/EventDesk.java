package dev.dormouse.internal.event;

import dev.dormouse.internal.engine.Node;
import dev.dormouse.store.event.PastEvent;
import dev.dormouse.store.event.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The place where runs subscribe to events and find events that were published shortly before.
 *
 * <p>Thread-safe after {@link #connect}, which must be called before the node opens. A wait is stored before the desk
 * looks for earlier events, and a published event is stored before its waits are read. So an event and a wait that
 * cross each other cannot miss each other; at worst the run receives the event twice, and ignores the second one.
 */
public final class EventDesk {
    private static final int RECALLED_FIRST = 1_000;
    private static final int MOST_RECALLED = 20_000;

    private final Duration window;
    private @Nullable Node node;

    /**
     * A run's wait for an event.
     *
     * @param begun the start of the wait, possibly on a node that died since
     * @param until the deadline of the wait; null if there is none
     */
    public record Wait(
            String workflowId,
            String id,
            String event,
            EventForms.Wanted wanted,
            Instant begun,
            @Nullable Instant until) {
        Subscription filed() {
            byte[] match = EventForms.encode(wanted).bytes();
            return new Subscription(workflowId, id, event, EventMatch.filedUnder(wanted.keys()), match, until);
        }
    }

    /**
     * Creates a desk without a node.
     *
     * @param window the maximum time between an event and a later wait that receives it
     */
    public EventDesk(Duration window) {
        this.window = window;
    }

    /** Sets the node. Must be called before the node opens. */
    public void connect(Node itsNode) {
        node = itsNode;
    }

    Node node() {
        return Objects.requireNonNull(node);
    }

    /**
     * Returns the retention of an event. It is longer than the window, so that a wait whose node died still finds the
     * event later.
     */
    Duration keep() {
        return window.multipliedBy(2);
    }

    /**
     * Stores a wait. If a matching event was published before, removes the wait and returns that event, the earliest if
     * there are several; otherwise returns null.
     */
    public EventForms.@Nullable Kept subscribe(Wait wait) {
        Subscription filed = wait.filed();
        node().subscribe(filed);
        EventForms.Kept early = recall(wait);
        if (early != null) {
            node().unsubscribe(filed);
        }
        return early;
    }

    private EventForms.@Nullable Kept recall(Wait wait) {
        Duration since = Duration.between(wait.begun, node().now());
        Duration age = since.isNegative() ? window : window.plus(since);
        if (window.isZero()) {
            return null;
        }
        List<PastEvent> latest = node().recall(wait.event, age, RECALLED_FIRST);
        EventForms.Kept found = earliest(wait, latest);
        return found != null || latest.size() < RECALLED_FIRST
                ? found
                : earliest(wait, node().recall(wait.event, age, MOST_RECALLED));
    }

    private static EventForms.@Nullable Kept earliest(Wait wait, List<PastEvent> latestFirst) {
        EventForms.Kept earliest = null;
        for (PastEvent past : latestFirst) {
            EventForms.Kept event = EventForms.event(past);
            earliest = wait.wanted.isMetBy(event) ? event : earliest;
        }
        return earliest;
    }

    public void unsubscribe(String workflowId, String id) {
        node().unsubscribe(new Subscription(workflowId, id, "", "", new byte[0], null));
    }
}
