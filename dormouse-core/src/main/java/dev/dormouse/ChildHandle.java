package dev.dormouse;

import dev.dormouse.error.ChildFailedException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A child workflow that workflow code has started with {@link Workflow#startChild}: a promise of its result that also
 * shows when the child exists. Not thread-safe: only the coroutines of the parent's run may use it.
 *
 * <pre>{@code
 * Shipping shipping = Workflow.child(Shipping.class, "shipping-" + orderId);
 * ChildHandle<String> parcel = Workflow.startChild(() -> shipping.ship(order));
 * parcel.started().get();       // the child exists
 * shipping.hurry();             // a signal
 * return parcel.get();          // its result
 * }</pre>
 */
public interface ChildHandle<R extends @Nullable Object> extends Promise<R> {

    /** Returns the child's workflow id. */
    String workflowId();

    /**
     * Returns a promise that is done when the start of the child is stored, with the id of its run. A child with a start
     * delay, or in a queue, exists before its code begins. The promise fails with {@link ChildFailedException} if the
     * child was not started, for example because its workflow id is taken. If the child is retried
     * ({@link ChildOptions#withRetry}), the promise is that of the first attempt. Cancelling it has no effect.
     */
    Promise<UUID> started();

    /**
     * Sends a signal to the child, after the next commit and after its start. If the child is closed, the signal is
     * dropped silently.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code name} is invalid; PAYLOAD_NOT_SERIALIZABLE or
     *     PAYLOAD_TOO_LARGE if an argument cannot be stored
     */
    void signal(String name, @Nullable Object... arguments);
}
