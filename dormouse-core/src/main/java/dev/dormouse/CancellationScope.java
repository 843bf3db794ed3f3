package dev.dormouse;

import dev.dormouse.error.CanceledFailure;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.replay.Scope;

/**
 * A part of a workflow's code that can be cancelled as a whole. When it is cancelled, everything that waits within it
 * (sleeps, timers, conditions, steps, children) throws {@link CanceledFailure}. A nested scope is cancelled with the
 * outer scope, and all scopes are cancelled with the run, except detached ones: those are for clean-up after a
 * cancellation. Created by {@link Workflow#newCancellationScope} and {@link Workflow#newDetachedCancellationScope}. Not
 * thread-safe: only the coroutines of its run may use it.
 */
public final class CancellationScope {
    private final Replay run;
    private final Scope scope;
    private final Runnable body;

    CancellationScope(Replay run, boolean detached, Runnable body) {
        this.run = run;
        this.scope = run.newScope(detached);
        this.body = body;
    }

    /**
     * Runs the code of the scope on the calling coroutine.
     *
     * @throws CanceledFailure if the scope is cancelled while its code waits
     */
    public void run() {
        run.within(scope, body);
    }

    /** Cancels everything that waits in the scope, now and later. */
    public void cancel() {
        cancel("its scope was cancelled");
    }

    /**
     * Cancels everything that waits in the scope, now and later, with a reason. {@link CanceledFailure#reason} returns
     * the reason.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code reason} is null
     */
    public void cancel(String reason) {
        Arguments.required(reason, "a reason");
        run.cancel(scope, reason);
    }

    /** Returns true if this scope was cancelled, by itself or with an outer scope or the run. */
    public boolean isCancelled() {
        return scope.isCancelled();
    }
}
