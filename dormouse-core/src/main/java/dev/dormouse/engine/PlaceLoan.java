package dev.dormouse.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A wait of the calling thread for another run. If the thread executes a step, the step's run lends its place on this
 * node to others until the wait ends, because one of them may be the run that it waits for. Thread-safe.
 */
public final class PlaceLoan implements AutoCloseable {
    private static final PlaceLoan NONE = new PlaceLoan(null);

    private final @Nullable LentPlace lent;
    private final AtomicBoolean over = new AtomicBoolean();

    private PlaceLoan(@Nullable LentPlace lent) {
        this.lent = lent;
    }

    /**
     * Begins a wait. Does nothing on a thread that does not execute a step. Loans may be nested.
     *
     * @throws dev.dormouse.error.DormouseException TOO_MANY_WAITS if too many runs of the node wait like this
     */
    public static PlaceLoan begin() {
        Attempt waiting = Attempt.current();
        if (waiting == null) {
            return NONE;
        }
        LentPlace place = waiting.place();
        place.lend(waiting.step().name());
        return new PlaceLoan(place);
    }

    /**
     * Begins a wait that ends with the future, or with the step. It counts from now on, because it cannot be seen how the
     * step waits: {@code CompletableFuture.allOf} and {@code isDone} do not tell. Returns the future.
     *
     * @throws dev.dormouse.error.DormouseException TOO_MANY_WAITS if too many runs of the node wait like this
     */
    public static <T> CompletableFuture<T> until(CompletableFuture<T> future) {
        Attempt waiting = Attempt.current();
        if (waiting == null || future.isDone()) {
            return future;
        }
        PlaceLoan loan = begin();
        waiting.endWithIt(loan);
        future.whenComplete((result, problem) -> loan.close());
        return future;
    }

    @Override
    public void close() {
        if (lent != null && over.compareAndSet(false, true)) {
            lent.takeBack();
        }
    }
}
