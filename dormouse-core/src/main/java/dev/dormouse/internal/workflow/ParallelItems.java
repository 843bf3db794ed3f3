package dev.dormouse.internal.workflow;

import dev.dormouse.Promise;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.replay.Replay;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Items that a bounded number of coroutines work on: each takes the next item when it has finished one. The first
 * failure cancels the others, and is thrown when all have ended. Not thread-safe: belongs to the run's coroutines, which
 * execute one at a time.
 */
final class ParallelItems<I extends @Nullable Object, T extends @Nullable Object> {
    private final List<I> items;
    private final Function<? super I, ? extends T> body;
    private final List<@Nullable T> results = new ArrayList<>();
    private final List<Promise<@Nullable Void>> coroutines = new ArrayList<>();
    private int next;
    private @Nullable RuntimeException problem;

    ParallelItems(Replay run, Collection<? extends I> items, int limit, Function<? super I, ? extends T> body) {
        if (limit < 1) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected Workflow.parallel to get a limit of at least 1, but got " + limit
                            + ". It is the number of items in work at the same time.");
        }
        this.items = new ArrayList<>(items);
        this.body = body;
        for (int i = 0; i < this.items.size(); i++) {
            results.add(null);
        }
        for (int i = 0; i < Math.min(limit, this.items.size()); i++) {
            coroutines.add(Coroutine.start(run, this::work));
        }
    }

    private @Nullable Void work() {
        while (next < items.size() && problem == null) {
            int item = next++;
            try {
                results.set(item, body.apply(items.get(item)));
            } catch (RuntimeException thrown) {
                fail(thrown);
            }
        }
        return null;
    }

    private void fail(RuntimeException thrown) {
        if (problem == null) {
            problem = thrown;
            coroutines.forEach(Promise::cancel);
        }
    }

    /** Waits until all coroutines have ended. Returns the results in the order of the items, or throws the failure. */
    @SuppressWarnings("NullAway") // every item has its result, which can only be null if T is nullable
    List<T> results() {
        coroutines.forEach(Promise::get);
        if (problem != null) {
            throw problem;
        }
        return results;
    }
}
