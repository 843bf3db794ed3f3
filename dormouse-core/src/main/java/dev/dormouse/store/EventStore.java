package dev.dormouse.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for which event, and what was published lately. Each call is one transaction. Whoever subscribes, and then
 * recalls, and whoever remembers, and then reads the subscriptions, cannot both miss each other: what one of them has
 * written, the other reads, if it begins to read after that.
 *
 * <p>Throws {@link StoreException} when the database cannot be asked. Doing any of this again changes nothing.
 */
public interface EventStore {

    /**
     * Keeps a subscription, unless there is one of this workflow id and id: that stays as it is. Also forgets some
     * subscriptions of the shard whose time has passed, if there are any.
     */
    void subscribe(int shard, Subscription subscription);

    /** Takes subscriptions back, by their workflow ids and ids. Unknown ones are left out. */
    void unsubscribe(int shard, List<Subscription> subscriptions);

    /**
     * Subscriptions to an event with any of these keys whose time has not passed by the store's clock, ordered by key,
     * workflow id and id, each compared by its UTF-8 bytes.
     *
     * @param after where the page before has ended; null for the first
     */
    List<Subscription> subscriptions(
            int shard, String event, Collection<String> keys, @Nullable Subscription after, int limit);

    /**
     * Keeps an event for so long from now, unless there is one of this name and id: that stays as it is. Also forgets
     * some events of the shard whose time has passed, if there are any.
     */
    void remember(int shard, PastEvent event, Duration keep);

    /**
     * Events of a name that were accepted no longer ago than an age, the latest first. Those whose time has passed may be
     * missing.
     */
    List<PastEvent> recall(int shard, String event, Duration age, int limit);
}
