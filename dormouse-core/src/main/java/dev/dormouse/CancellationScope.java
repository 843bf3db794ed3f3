package dev.dormouse;

import dev.dormouse.error.CanceledFailure;
import dev.dormouse.replay.Replay;
import dev.dormouse.replay.Scope;

/**
 * A part of a workflow's code that can be cancelled as a whole: what waits within it (sleeps, timers, conditions, steps,
 * children) throws {@link CanceledFailure} then. A scope within another is cancelled with it, and all are with the run,
 * but for detached ones: they are for clean-up after a cancel. Made by {@link Workflow#newCancellationScope} and
 * {@link Workflow#newDetachedCancellationScope}; belongs to the run's coroutines.
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

    /** Runs its code on the calling coroutine. */
    public void run() {
        run.within(scope, body);
    }

    /** Cancels what waits in it, now and later. */
    public void cancel() {
        cancel("its scope was cancelled");
    }

    /** The same, with a reason that {@link CanceledFailure#reason} gives. */
    public void cancel(String reason) {
        Arguments.required(reason, "a reason");
        run.cancel(scope, reason);
    }

    public boolean isCancelled() {
        return scope.isCancelled();
    }
}
