package dev.dormouse.internal.engine.command;

import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.write.SizedBatches;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.store.Store;
import dev.dormouse.store.event.PastEvent;
import dev.dormouse.store.event.Subscription;
import dev.dormouse.store.run.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The delivery of a published event to the runs that wait for it, once to each. The event is stored first, then
 * subscriptions are read. A run that starts to wait stores its subscription first, and then reads recent events. So
 * whichever of the two acts second finds the other. If both find each other, or if a crash causes a second delivery,
 * the message key identifies the duplicate.
 */
public final class EventPublisher {
    private static final int AT_ONCE = 500;

    private final NodeContext context;
    private final Store store;
    private final MessageSender sender;

    public EventPublisher(NodeContext context, MessageSender sender) {
        this.context = context;
        this.store = context.store();
        this.sender = sender;
    }

    /**
     * Publishes an event.
     *
     * @param keys the keys of the event, see {@link Subscription#key}
     * @param keep how long runs that start to wait later can find it
     * @param toMessage creates the message for a subscription
     */
    public void post(
            int shard,
            PastEvent event,
            Set<String> keys,
            Duration keep,
            Predicate<Subscription> matches,
            Function<Subscription, Message> toMessage) {
        context.eventWrites(shard).remember(event, keep);
        for (int waiting = 0; waiting < store.shards(); waiting++) {
            Subscription last = null;
            do {
                List<Subscription> page = store.subscriptions(waiting, event.event(), keys, last, AT_ONCE);
                List<Subscription> matching = page.stream().filter(matches).toList();
                deliver(waiting, event, matching, toMessage);
                last = page.size() < AT_ONCE ? null : page.get(AT_ONCE - 1);
            } while (last != null);
        }
    }

    private void deliver(
            int shard, PastEvent event, List<Subscription> matching, Function<Subscription, Message> toMessage) {
        for (List<Subscription> some : SizedBatches.of(matching, one -> event.payload().length)) {
            List<Delivery> batch = new ArrayList<>(some.size());
            for (Subscription one : some) {
                Message message = toMessage.apply(one);
                String key = "event " + event.id() + " " + one.id();
                batch.add(new Delivery(one.workflowId(), key, message.kind(), MessageCodec.encode(message)));
            }
            sender.deliverAll(shard, batch);
            store.unsubscribe(shard, some); // each wait is for one event
        }
    }
}
