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
 * Brings an event to the runs that wait for it, each once. First the event is remembered, and then it is looked who waits;
 * a run that begins to wait does it the other way round. So whichever of them comes second finds the other. Where both do,
 * or where this is done again after a crash, the key of the mail tells.
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
     * @param keys of the event, see {@link Subscription#key}
     * @param keep for how long those who come later can find it
     * @param letter what a run gets
     */
    public void post(
            int shard,
            PastEvent event,
            Set<String> keys,
            Duration keep,
            Predicate<Subscription> matches,
            Function<Subscription, Message> letter) {
        context.eventWrites(shard).remember(event, keep);
        for (int waiting = 0; waiting < store.shards(); waiting++) {
            Subscription last = null;
            do {
                List<Subscription> page = store.subscriptions(waiting, event.event(), keys, last, AT_ONCE);
                List<Subscription> met = page.stream().filter(matches).toList();
                deliver(waiting, event, met, letter);
                last = page.size() < AT_ONCE ? null : page.get(AT_ONCE - 1);
            } while (last != null);
        }
    }

    private void deliver(int shard, PastEvent event, List<Subscription> met, Function<Subscription, Message> letter) {
        for (List<Subscription> some : SizedBatches.of(met, one -> event.payload().length)) {
            List<Delivery> batch = new ArrayList<>(some.size());
            for (Subscription one : some) {
                Message message = letter.apply(one);
                String key = "event " + event.id() + " " + one.id();
                batch.add(new Delivery(one.workflowId(), key, message.kind(), MessageCodec.encode(message)));
            }
            sender.deliverAll(shard, batch);
            store.unsubscribe(shard, some); // each wait is for one event
        }
    }
}
