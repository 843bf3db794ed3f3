package dev.dormouse.remote.serve;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.StoreTrouble;
import dev.dormouse.store.base.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A group commit across nodes: merges the entries of concurrent calls into batches of the store.
 *
 * <p><b>Batches.</b> A writer takes all entries that have arrived while the previous batches were on their way. A batch
 * never waits for more entries. Entries with a common key never share a batch, and are never on their way at the same
 * time: the later one waits for the outcome of the earlier one. Otherwise entries keep their order.
 *
 * <p><b>Failures.</b> If the store throws, the batch is sent again in halves, so that an entry that breaks the store's
 * code affects no other entry. The outcome of that entry is {@link Kind#failed}. The entries of a caller that has gone
 * are not sent if they still wait; to their sender the outcome is unknown.
 *
 * <p><b>Bounds.</b> If too many entries or bytes wait, {@link #submit} throws. So a slow store does not fill the memory.
 *
 * <p><b>Concurrency.</b> Thread-safe. Guaranteed: each accepted call gets exactly one answer. The lock guards the queue
 * and is not held while the store or a caller is called. A writer stops only under the lock and with an empty queue, or
 * if all entries wait for keys that another writer holds; that writer looks at the queue again when it is done.
 */
final class BatchMerger<E, O> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BatchMerger.class);

    /** The number of entries with keys in use that one search for a batch passes over. */
    private static final int MOST_PASSED_OVER = 1_000;

    /** The operations on a kind of entries. */
    interface Kind<E, O> {
        /** Sends a batch to the store and returns one outcome for each entry, in order. */
        List<O> send(List<E> batch);

        /** Returns the keys of an entry: entries with a common key do not share a batch. */
        List<Object> keys(E entry);

        /** Returns the approximate size of an entry in bytes. */
        int bytes(E entry);

        /** Returns the outcome of an entry for which the store has thrown, or that was not sent. */
        O failed(Throwable problem);

        /** Returns true if both entries can be sent in one batch, apart from their keys. */
        default boolean fit(E first, E other) {
            return true;
        }
    }

    /**
     * The bounds of a merger.
     *
     * @param writers the number of batches that are on their way at a time
     * @param maxEntries the number of entries of a batch
     * @param maxBytes a batch ends with the entry that reaches this size
     * @param maxWaiting the number of waiting entries at which calls are refused
     * @param maxWaitingBytes the size of waiting entries at which calls are refused
     */
    record Limits(int writers, int maxEntries, long maxBytes, int maxWaiting, long maxWaitingBytes) {}

    /** A call, and the outcomes that it has so far. */
    private static final class Call<O> {
        final Object[] outcomes;
        final BooleanSupplier isGone;
        final Consumer<List<O>> done;
        int missing;

        Call(int entries, BooleanSupplier isGone, Consumer<List<O>> done) {
            this.outcomes = new Object[entries];
            this.missing = entries;
            this.isGone = isGone;
            this.done = done;
        }

        @SuppressWarnings("unchecked")
        List<O> answer() {
            return (List<O>) Collections.unmodifiableList(Arrays.asList(outcomes));
        }
    }

    /** An entry at a place of a call. */
    private record Item<E, O>(Call<O> call, int place, E entry, List<Object> keys, int bytes) {}

    private final Kind<E, O> kind;
    private final Limits limits;
    private final Executor executor;

    /** Guards the fields below, and the outcomes of calls. */
    private final Object lock = new Object();

    private final ArrayDeque<Item<E, O>> waiting = new ArrayDeque<>();
    private final Set<Object> keysOnTheirWay = new HashSet<>();
    private long waitingBytes;
    private int writing;
    private boolean closed;

    BatchMerger(Kind<E, O> kind, Limits limits, Executor executor) {
        this.kind = kind;
        this.limits = limits;
        this.executor = executor;
    }

    /**
     * Sends the entries of a call with the next batches.
     *
     * @param isGone returns true if the caller no longer waits
     * @param done is called once, with one outcome for each entry, in order; must be quick
     * @throws StoreException STORE_UNAVAILABLE if too many entries wait, or the merger is closed
     */
    void submit(List<E> entries, BooleanSupplier isGone, Consumer<List<O>> done) {
        if (entries.isEmpty()) {
            done.accept(List.of());
            return;
        }
        Call<O> call = new Call<>(entries.size(), isGone, done);
        List<Item<E, O>> items = new ArrayList<>(entries.size());
        long bytes = 0;
        for (int i = 0; i < entries.size(); i++) {
            E entry = entries.get(i);
            Item<E, O> item = new Item<>(call, i, entry, kind.keys(entry), kind.bytes(entry));
            bytes += item.bytes;
            items.add(item);
        }
        synchronized (lock) {
            if (closed) {
                throw closing();
            }
            if (waiting.size() >= limits.maxWaiting || waitingBytes >= limits.maxWaitingBytes) {
                throw overloaded(waiting.size());
            }
            waiting.addAll(items);
            waitingBytes += bytes;
            if (writing == limits.writers) {
                return;
            }
            writing++;
        }
        try {
            executor.execute(this::write);
        } catch (RejectedExecutionException e) {
            synchronized (lock) {
                writing--;
            }
            close();
        }
    }

    private static StoreException closing() {
        return new StoreException(
                ErrorCode.STORE_UNAVAILABLE,
                "Expected a running Dormouse server, but this one is shutting down.",
                null);
    }

    private static StoreException overloaded(int entries) {
        return new StoreException(
                ErrorCode.STORE_UNAVAILABLE,
                StoreTrouble.BLOCKED,
                "Expected room for a batch on the Dormouse server, but " + entries
                        + " entries wait for its store already. Send them again later.",
                null);
    }

    /** Sends batches until none is left. */
    private void write() {
        List<Item<E, O>> onTheirWay = List.of();
        try {
            for (List<Item<E, O>> batch = next(); !batch.isEmpty(); batch = next()) {
                onTheirWay = batch;
                List<O> outcomes = sent(batch.stream().map(Item::entry).toList());
                release(batch);
                onTheirWay = List.of();
                answer(batch, outcomes);
            }
        } catch (Error e) { // such as an OutOfMemoryError: the callers get no answer and send their entries again
            release(onTheirWay);
            synchronized (lock) {
                writing--;
            }
            throw e;
        }
    }

    /** Returns the next batch; an empty one ends the writer. */
    private List<Item<E, O>> next() {
        List<Item<E, O>> batch = new ArrayList<>();
        List<Item<E, O>> abandoned = new ArrayList<>();
        synchronized (lock) {
            ArrayDeque<Item<E, O>> passedOver = new ArrayDeque<>();
            long bytes = 0;
            while (batch.size() < limits.maxEntries
                    && bytes < limits.maxBytes
                    && passedOver.size() < MOST_PASSED_OVER
                    && !waiting.isEmpty()) {
                Item<E, O> item = waiting.remove();
                if (item.call.isGone.getAsBoolean()) {
                    waitingBytes -= item.bytes;
                    abandoned.add(item);
                } else if (joins(batch, item)) {
                    keysOnTheirWay.addAll(item.keys);
                    waitingBytes -= item.bytes;
                    bytes += item.bytes;
                    batch.add(item);
                } else {
                    passedOver.push(item);
                }
            }
            passedOver.forEach(waiting::addFirst);
            if (batch.isEmpty()) {
                writing--;
            }
        }
        abandoned.forEach(item -> answerOne(item, kind.failed(closing())));
        return batch;
    }

    private boolean joins(List<Item<E, O>> batch, Item<E, O> item) {
        return (batch.isEmpty() || kind.fit(batch.get(0).entry, item.entry))
                && Collections.disjoint(item.keys, keysOnTheirWay);
    }

    /** Returns one outcome for each entry, whatever the store does. */
    private List<O> sent(List<E> entries) {
        try {
            List<O> outcomes = kind.send(entries);
            if (outcomes.size() == entries.size()) {
                return outcomes;
            }
            throw new IllegalStateException(
                    "Expected " + entries.size() + " outcomes, but the store returned " + outcomes.size() + ".");
        } catch (RuntimeException | StackOverflowError e) {
            if (entries.size() == 1) {
                return List.of(kind.failed(e));
            }
            int middle = entries.size() / 2;
            List<O> outcomes = new ArrayList<>(sent(entries.subList(0, middle)));
            outcomes.addAll(sent(entries.subList(middle, entries.size())));
            return outcomes;
        } catch (Error e) {
            return Collections.nCopies(entries.size(), kind.failed(e));
        }
    }

    private void release(List<Item<E, O>> batch) {
        synchronized (lock) {
            batch.forEach(item -> item.keys.forEach(keysOnTheirWay::remove));
        }
    }

    private void answer(List<Item<E, O>> batch, List<O> outcomes) {
        for (int i = 0; i < outcomes.size(); i++) {
            answerOne(batch.get(i), outcomes.get(i));
        }
    }

    private void answerOne(Item<E, O> item, O outcome) {
        Call<O> call = item.call;
        synchronized (lock) {
            call.outcomes[item.place] = outcome;
            if (--call.missing > 0) {
                return;
            }
        }
        try {
            call.done.accept(call.answer());
        } catch (RuntimeException e) {
            LOG.warn("Expected to answer a call, but it was not possible. The caller sends its entries again.", e);
        }
    }

    /** Answers the entries that wait. Entries on their way are answered by their writers. */
    @Override
    public void close() {
        List<Item<E, O>> rest;
        synchronized (lock) {
            closed = true;
            rest = List.copyOf(waiting);
            waiting.clear();
            waitingBytes = 0;
        }
        rest.forEach(item -> answerOne(item, kind.failed(closing())));
    }
}
