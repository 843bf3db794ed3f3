package dev.dormouse.store.event;

import dev.dormouse.store.base.StoreException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Subscriptions to events, and the events that were published recently. Each call is one transaction, and repeating a
 * call changes nothing. Every method throws {@link StoreException} if the database cannot be reached or fails.
 *
 * <p>A subscriber and a publisher cannot miss each other. The subscriber calls {@link #subscribe} and then
 * {@link #recall}; the publisher calls {@link #remember} and then {@link #subscriptions}. Each read returns everything
 * that the other side had written before that read began.
 */
public interface EventStore {

    /**
     * Stores subscriptions, all or none of them. An existing subscription with the same workflow id and id stays
     * unchanged. A subscription that has already expired is not stored. The call also deletes some expired
     * subscriptions of the shard for each entry of the batch, so that their number decreases. An empty batch changes
     * nothing.
     *
     * @param batch at most one entry for each workflow id and id
     */
    void subscribe(int shard, List<Subscription> batch);

    /** Deletes subscriptions by workflow id and id. Unknown subscriptions are ignored. */
    void unsubscribe(int shard, List<Subscription> subscriptions);

    /**
     * Returns subscriptions to an event with any of {@code keys} that have not expired by the store's clock. They are
     * ordered by key, workflow id and id, each compared by its UTF-8 bytes.
     *
     * @param after the last entry of the previous page; null for the first page
     */
    List<Subscription> subscriptions(
            int shard, String event, Collection<String> keys, @Nullable Subscription after, int limit);

    /**
     * Stores events for {@code keep} from now, all or none of them. An existing event with the same name and id stays
     * unchanged. All events of the batch are accepted at the same instant. The call also deletes some expired events of
     * the shard for each entry of the batch, so that their number decreases. An empty batch changes nothing.
     *
     * @param batch at most one entry for each name and id
     */
    void remember(int shard, List<PastEvent> batch, Duration keep);

    /**
     * Returns events of a name that were accepted at most {@code age} ago, latest first. Expired events may be missing.
     */
    List<PastEvent> recall(int shard, String event, Duration age, int limit);
}
