package dev.dormouse;

import dev.dormouse.codec.JacksonCodec;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.store.PastEvent;
import dev.dormouse.store.Shards;
import dev.dormouse.store.Store;
import dev.dormouse.store.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Where runs say that they wait for an event, and hear of those that came shortly before. */
final class EventDesk {
    private static final int MOST_RECALLED = 1_000;
    private static final String TEXT_BY_PATH = "match";

    /** What is Dormouse's own is read by nodes whose users have other codecs. */
    private static final Payloads OWN = new Payloads(new JacksonCodec(), 16 << 20);

    private final Store store;
    private final Payloads payloads;
    private final Duration window;

    /** An event as it is kept. */
    record Kept(String id, String encoding, byte[] bytes) {
        Payload payload() {
            return new Payload(encoding, bytes);
        }

        PublishedEvent open(String name, Payloads payloads) {
            return new PublishedEvent(name, id, payload(), payloads);
        }
    }

    /** @param window how long an event is kept for those who come later */
    EventDesk(Store store, Payloads payloads, Duration window) {
        this.store = store;
        this.payloads = payloads;
        this.window = window;
    }

    Duration window() {
        return window;
    }

    /**
     * Files a run's wait for an event, unless such an event has come already: then that is returned, the earliest of them.
     *
     * @param used events that the run has had already
     */
    @Nullable
    Kept subscribe(
            String workflowId, String id, String event, EventMatch match, @Nullable Instant until, Set<String> used) {
        int shard = shard(workflowId);
        byte[] filed = OWN.encode(Map.of(TEXT_BY_PATH, match.values())).bytes();
        Subscription wait = new Subscription(workflowId, id, event, match.key(), filed, until);
        store.subscribe(shard, List.of(wait));
        Kept early = recall(event, match, used);
        if (early != null) {
            store.unsubscribe(shard, List.of(wait));
        }
        return early;
    }

    private @Nullable Kept recall(String event, EventMatch match, Set<String> used) {
        Kept earliest = null;
        for (PastEvent past : store.recall(shard(event), event, window, MOST_RECALLED)) {
            Kept kept = decode(ownJson(past.payload()));
            if (kept != null && !used.contains(kept.id) && match.test(read(kept.payload()))) {
                earliest = kept;
            }
        }
        return earliest;
    }

    void unsubscribe(String workflowId, String id) {
        store.unsubscribe(shard(workflowId), List.of(new Subscription(workflowId, id, "", "", new byte[0], null)));
    }

    private int shard(String id) {
        return Shards.of(id, store.shards());
    }

    static Payload encode(@Nullable Kept event) {
        return event == null ? Payload.NOTHING : OWN.encode(event);
    }

    static @Nullable Kept decode(Payload payload) {
        return (Kept) OWN.decode(payload, Kept.class);
    }

    /** An event in the form in which it is kept. */
    static PastEvent past(String name, String id, Payload payload) {
        Kept kept = new Kept(id, payload.encoding(), payload.bytes());
        return new PastEvent(name, id, encode(kept).bytes());
    }

    /** What an event holds, for a look at its values; null where it has none that can be read. */
    @Nullable
    Object read(Payload payload) {
        try {
            return payloads.decode(payload, Object.class);
        } catch (DormouseException notReadable) {
            return null;
        }
    }

    @SuppressWarnings("unchecked") // as subscribe has written it
    static EventMatch match(Subscription subscription) {
        Map<String, Map<String, String>> filed =
                (Map<String, Map<String, String>>) OWN.decode(ownJson(subscription.match()), Map.class);
        return new EventMatch(new TreeMap<>(filed == null ? Map.of() : filed.getOrDefault(TEXT_BY_PATH, Map.of())));
    }

    private static Payload ownJson(byte[] bytes) {
        return new Payload(OWN.encode("").encoding(), bytes);
    }
}
