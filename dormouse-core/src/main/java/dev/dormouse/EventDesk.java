package dev.dormouse;

import dev.dormouse.engine.Node;
import dev.dormouse.store.PastEvent;
import dev.dormouse.store.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where runs say that they wait for an event, and hear of those that came shortly before. */
final class EventDesk {
    private static final int RECALLED_FIRST = 1_000;
    private static final int MOST_RECALLED = 20_000;

    private final Duration window;
    private @Nullable Node node;

    /**
     * A run's wait.
     *
     * @param begun when it began, which may have been on a node that died
     * @param until when it ends, null for never
     */
    record Wait(
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

    /** @param window how long before a wait an event may have come */
    EventDesk(Duration window) {
        this.window = window;
    }

    /** Before the node opens. */
    void connect(Node itsNode) {
        node = itsNode;
    }

    Node node() {
        return Objects.requireNonNull(node);
    }

    /** How long an event is kept: longer than anybody looks for, so that a wait whose node died finds it later. */
    Duration keep() {
        return window.multipliedBy(2);
    }

    /** Files a wait, unless such an event has come already: then that is returned, the earliest of them. */
    EventForms.@Nullable Kept subscribe(Wait wait) {
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

    void unsubscribe(String workflowId, String id) {
        node().unsubscribe(new Subscription(workflowId, id, "", "", new byte[0], null));
    }
}
