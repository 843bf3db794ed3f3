package dev.dormouse.internal.thread;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A wait of the calling thread for another run. If the thread executes a step, the step's run lends its place on this
 * node until the wait ends. The run that it waits for may need that place. Thread-safe: any thread may end a loan, and
 * it ends once.
 */
public final class PlaceLoan implements AutoCloseable {
    private static final ThreadLocal<@Nullable Lender> LENDER = new ThreadLocal<>();
    private static final PlaceLoan NONE = new PlaceLoan(null);

    private final @Nullable Lender lender;
    private final AtomicBoolean over = new AtomicBoolean();

    /** A step whose run can lend its place. */
    public interface Lender {
        /** Lends the place. Throws TOO_MANY_WAITS if too many runs of the node wait for others. */
        void lend();

        /** Ends one loan of this step. */
        void takeBack();

        /** Ends {@code loan} when the step ends, at the latest. Called by the thread that executes the step. */
        void endWithStep(PlaceLoan loan);
    }

    private PlaceLoan(@Nullable Lender lender) {
        this.lender = lender;
    }

    /** Declares that the calling thread executes a step from now on; null ends that. */
    public static void executes(@Nullable Lender lender) {
        if (lender == null) {
            LENDER.remove();
        } else {
            LENDER.set(lender);
        }
    }

    /**
     * Begins a wait. Has no effect on a thread that does not execute a step. Loans may be nested.
     *
     * @throws dev.dormouse.error.DormouseException TOO_MANY_WAITS if too many runs of the node wait like this
     */
    public static PlaceLoan begin() {
        Lender waiting = LENDER.get();
        if (waiting == null) {
            return NONE;
        }
        waiting.lend();
        return new PlaceLoan(waiting);
    }

    /**
     * Begins a wait that ends with the future, or with the step. The place is lent from now on, because methods such as
     * {@code CompletableFuture.allOf} and {@code isDone} do not reveal how the step waits. Returns the future.
     *
     * @throws dev.dormouse.error.DormouseException TOO_MANY_WAITS if too many runs of the node wait like this
     */
    public static <T> CompletableFuture<T> until(CompletableFuture<T> future) {
        Lender waiting = LENDER.get();
        if (waiting == null || future.isDone()) {
            return future;
        }
        PlaceLoan loan = begin();
        waiting.endWithStep(loan);
        CompletableFuture<T> unused = future.whenComplete((result, problem) -> loan.close());
        return future;
    }

    @Override
    public void close() {
        if (lender != null && over.compareAndSet(false, true)) {
            lender.takeBack();
        }
    }
}
