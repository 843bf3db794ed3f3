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
     * Keeps subscriptions, all or none of them. Where there is one of the same workflow id and id, that stays as it is;
     * one whose time has passed is not kept. Also forgets subscriptions of the shard whose time has passed, if there are
     * any: some for each entry of the batch, so that they get fewer. An empty batch changes nothing.
     *
     * @param batch at most one entry for each workflow id and id
     */
    void subscribe(int shard, List<Subscription> batch);

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
     * Keeps events for so long from now, all or none of them. Where there is one of the same name and id, that stays as it
     * is. All that are kept were accepted at the same instant. Also forgets events of the shard whose time has passed, if
     * there are any: some for each entry of the batch, so that they get fewer. An empty batch changes nothing.
     *
     * @param batch at most one entry for each name and id
     */
    void remember(int shard, List<PastEvent> batch, Duration keep);

    /**
     * Events of a name that were accepted no longer ago than an age, the latest first. Those whose time has passed may be
     * missing.
     */
    List<PastEvent> recall(int shard, String event, Duration age, int limit);
}
