package dev.dormouse;

import dev.dormouse.error.CancelledException;

/**
 * A part of a workflow's code that can be cancelled as a whole. When it is cancelled, everything that waits within it
 * (sleeps, timers, conditions, steps, children) throws {@link CancelledException}. A nested scope is cancelled with the
 * outer scope, and all scopes are cancelled with the run, except detached ones: those are for clean-up after a
 * cancellation. Created by {@link Workflow#newCancellationScope} and {@link Workflow#newDetachedCancellationScope}. Not
 * thread-safe: only the coroutines of its run may use it.
 */
public interface CancellationScope {

    /**
     * Runs the code of the scope on the calling coroutine.
     *
     * @throws CancelledException if the scope is cancelled while its code waits
     */
    void run();

    /** Cancels everything that waits in the scope, now and later. */
    default void cancel() {
        cancel("its scope was cancelled");
    }

    /**
     * Cancels everything that waits in the scope, now and later, with a reason. {@link CancelledException#reason} returns
     * the reason.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code reason} is null
     */
    void cancel(String reason);

    /** Returns true if this scope was cancelled, by itself or with an outer scope or the run. */
    boolean isCancelled();
}
