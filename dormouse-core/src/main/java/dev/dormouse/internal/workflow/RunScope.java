package dev.dormouse.internal.workflow;

import dev.dormouse.CancellationScope;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.replay.Scope;
import dev.dormouse.internal.value.Arguments;

/** A cancellation scope of a run. Not thread-safe: belongs to the run's coroutines, which execute one at a time. */
final class RunScope implements CancellationScope {
    private final Replay run;
    private final Scope scope;
    private final Runnable body;

    RunScope(Replay run, boolean detached, Runnable body) {
        this.run = run;
        this.scope = run.newScope(detached);
        this.body = body;
    }

    @Override
    public void run() {
        run.within(scope, body);
    }

    @Override
    public void cancel(String reason) {
        Arguments.required(reason, "a reason");
        run.cancel(scope, reason);
    }

    @Override
    public boolean isCancelled() {
        return scope.isCancelled();
    }
}
