package dev.dormouse.internal.engine.write;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.Store;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.event.PastEvent;
import dev.dormouse.store.event.Subscription;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The batched writes of one shard that concern events: subscriptions, their removal, and published events. Repeating
 * such a write has no effect, so an unanswered write is sent again until it is answered.
 *
 * <p>Thread-safe: any thread may call any method. Callers wait until the write is answered; they throw DORMOUSE_CLOSED
 * if the node closes.
 */
public final class EventWrites {
    private static final int MAX_ENTRIES = SizedBatches.MAX_ENTRIES;
    private static final long MAX_BYTES = SizedBatches.MAX_BYTES;
    private static final int ENTRY_BYTES = 200;

    private final Batcher<Entry, Done> batcher;

    private sealed interface Entry {
        record Wait(Subscription subscription) implements Entry {}

        record NoWait(Subscription subscription) implements Entry {}

        record Published(PastEvent event, Duration keep) implements Entry {}
    }

    /** @param problem the reason why it may not be done; null if it is done */
    private record Done(@Nullable StoreException problem) {}

    public EventWrites(Threads threads, Store store, int shard, Consumer<StoreException> onStall) {
        batcher = new Batcher<>(
                threads,
                "events-" + shard,
                1,
                MAX_ENTRIES,
                MAX_BYTES,
                new Writes(store, shard, onStall),
                EventWrites::closed);
    }

    public void subscribe(Subscription subscription) {
        write(new Entry.Wait(subscription));
    }

    public void unsubscribe(Subscription subscription) {
        write(new Entry.NoWait(subscription));
    }

    public void remember(PastEvent event, Duration keep) {
        write(new Entry.Published(event, keep));
    }

    public void close() {
        batcher.close();
    }

    private void write(Entry entry) {
        StoreException problem = batcher.submitAndWait(entry).problem;
        if (problem != null) {
            throw problem;
        }
    }

    private static Done closed() {
        return new Done(Writers.nodeClosed());
    }

    private record Writes(Store store, int shard, Consumer<StoreException> onStall)
            implements Batcher.Kind<Entry, Done> {
        /**
         * Writes a batch. If the store refuses it, writes each entry alone, so that one bad entry does not delay the
         * others.
         */
        @Override
        public List<Done> send(List<Entry> batch) {
            try {
                write(batch);
                return Collections.nCopies(batch.size(), new Done(null));
            } catch (StoreException problem) {
                if (batch.size() == 1 || problem.code() == ErrorCode.STORE_UNAVAILABLE) {
                    throw problem;
                }
                return batch.stream().map(this::sendAlone).toList();
            }
        }

        private Done sendAlone(Entry entry) {
            try {
                write(List.of(entry));
                return new Done(null);
            } catch (StoreException problem) {
                return new Done(problem);
            }
        }

        private void write(List<Entry> batch) {
            List<Subscription> waits =
                    of(batch, Entry.Wait.class).map(Entry.Wait::subscription).toList();
            List<Subscription> noWaits = of(batch, Entry.NoWait.class)
                    .map(Entry.NoWait::subscription)
                    .toList();
            List<PastEvent> published =
                    of(batch, Entry.Published.class).map(Entry.Published::event).toList();
            if (!waits.isEmpty()) {
                store.subscribe(shard, waits);
            }
            if (!published.isEmpty()) {
                Duration keep = of(batch, Entry.Published.class)
                        .map(Entry.Published::keep)
                        .max(Duration::compareTo)
                        .orElse(Duration.ZERO);
                store.remember(shard, published, keep);
            }
            if (!noWaits.isEmpty()) {
                store.unsubscribe(shard, noWaits);
            }
        }

        private static <T extends Entry> Stream<T> of(List<Entry> batch, Class<T> kind) {
            return batch.stream().filter(kind::isInstance).map(kind::cast);
        }

        @Override
        public Object key(Entry entry) {
            if (entry instanceof Entry.Published published) {
                return List.of(published.event.event(), published.event.id(), "");
            }
            Subscription subscription =
                    entry instanceof Entry.Wait wait ? wait.subscription : ((Entry.NoWait) entry).subscription;
            return List.of(subscription.workflowId(), subscription.id());
        }

        @Override
        public int bytes(Entry entry) {
            int payload = entry instanceof Entry.Published published ? published.event.payload().length : 0;
            return ENTRY_BYTES + payload + (entry instanceof Entry.Wait wait ? wait.subscription.match().length : 0);
        }

        @Override
        public boolean again(Done outcome) {
            StoreException problem = outcome.problem;
            if (problem == null || problem.code() != ErrorCode.STORE_UNAVAILABLE) {
                return false;
            }
            onStall.accept(problem);
            return true;
        }

        @Override
        public Batcher.Cause cause(Done outcome) {
            return Writers.cause(outcome.problem);
        }

        @Override
        public Done failed(Throwable problem) {
            return new Done(Writers.wrapped(problem));
        }
    }
}
