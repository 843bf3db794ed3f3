package dev.dormouse.internal.workflow;

import dev.dormouse.Promise;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.Sentence;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.replay.Scope;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A coroutine of a run, and its result or exception. Not thread-safe: the coroutines of a run execute one at a time.
 */
final class Coroutine<T extends @Nullable Object> implements Runnable {
    private final Replay owner;
    private final Callable<? extends T> body;
    private @Nullable T result;
    private @Nullable Exception problem;
    private boolean done;
    private boolean asked;
    private @Nullable Scope scope;

    private Coroutine(Replay owner, Callable<? extends T> body) {
        this.owner = owner;
        this.body = body;
    }

    static <T extends @Nullable Object> Promise<T> start(Replay run, Callable<? extends T> body) {
        Coroutine<T> coroutine = new Coroutine<>(run, body);
        Scope scope = run.async("async", coroutine);
        coroutine.scope = scope;
        return new RunPromise<>(
                run,
                () -> coroutine.done,
                coroutine::result,
                () -> run.cancel(scope, "its promise was cancelled"),
                coroutine::asked);
    }

    @Override
    public void run() {
        try {
            result = body.call();
        } catch (Exception thrown) {
            problem = thrown;
            if (!asked && !isCancelled(thrown)) {
                owner.unawaitedWork().failed(this, thrown);
            }
        }
        done = true;
    }

    private boolean isCancelled(Exception thrown) {
        return thrown instanceof CancelledException || (scope != null && scope.isCancelled());
    }

    /** Notes that the code waits for the result, or has given it up. */
    private void asked() {
        asked = true;
        owner.unawaitedWork().seen(this);
    }

    @SuppressWarnings("NullAway") // a result can only be null if T is nullable
    private T result() {
        if (problem instanceof RuntimeException unchecked) {
            throw unchecked;
        } else if (problem != null) {
            throw new DormouseException(
                    ErrorCode.STEP_FAILED,
                    "Expected a coroutine to return, but it threw " + Sentence.of(problem) + " See the cause.",
                    problem);
        }
        return result;
    }
}
