package dev.dormouse.internal.workflow;

import dev.dormouse.Compensate;
import dev.dormouse.Promise;
import dev.dormouse.Saga;
import dev.dormouse.SagaOptions;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.CompensationFailedException;
import dev.dormouse.internal.replay.Replay;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The completed activity calls of a run that have a {@link Compensate} method, and that the run undoes when it fails.
 * They form a {@link Saga} that belongs to the run. Nothing is stored: a replay makes the same calls with the same
 * results again.
 *
 * <p>If the workflow fails while other coroutines have calls in flight, these calls may still complete. So the run
 * waits for them and undoes them too. New calls are refused from then on, so that the run comes to an end.
 *
 * <p>Not thread-safe: belongs to the run's coroutines, which execute one at a time.
 */
public final class Compensations {
    private static final Logger LOG = LoggerFactory.getLogger(Compensations.class);

    private final Replay run;
    private final CompensationList completed = new CompensationList(this, SagaOptions.DEFAULT);
    private final List<CompensationList> sagas = new ArrayList<>();
    private int inFlight;
    private int underWay;
    private boolean failing;

    Compensations(Replay run) {
        this.run = run;
    }

    /** Creates the compensations of a saga. */
    public CompensationList newList(SagaOptions options) {
        return new CompensationList(this, options);
    }

    /** Registers a saga when it gets its first compensation. */
    void added(CompensationList saga) {
        sagas.add(saga);
    }

    void checkMayAct(String what) {
        run.checkMayAct(what);
    }

    <T> Promise<T> async(Callable<T> body) {
        return Coroutine.start(run, body);
    }

    /** Runs compensations, even if the run was cancelled. The run does not close before they end. */
    void undo(Runnable body) {
        underWay++;
        try {
            detached(body);
        } finally {
            underWay--;
        }
    }

    private void detached(Runnable body) {
        new RunScope(run, true, body).run();
    }

    /**
     * Calls an activity that is undone if it completes and the workflow fails later.
     *
     * @param evenIfFailed true to undo it even if it fails or is interrupted after it has begun; its result is then
     *     null
     * @param undo creates the compensation from the result, immediately after the call, because the result object
     *     may change later
     */
    @Nullable
    Object call(
            String name,
            boolean evenIfFailed,
            Supplier<@Nullable Object> activity,
            Function<@Nullable Object, Runnable> undo) {
        run.checkMayAct("a call that " + name + " undoes");
        if (failing) {
            throw new CancelledException("the workflow has failed and undoes what it did");
        }
        inFlight++;
        int before = run.historyLength();
        try {
            Object result = activity.get();
            completed.add(name, undo.apply(result));
            return result;
        } catch (ActivityFailedException | CancelledException problem) {
            boolean hasBegun = run.historyLength() > before; // a call in a cancelled scope is refused at once
            if (evenIfFailed && hasBegun) {
                completed.add(name, undo.apply(null));
            }
            throw problem;
        } finally {
            inFlight--;
        }
    }

    /**
     * Wraps a workflow method so that completed calls are compensated when it throws an Exception. Errors propagate
     * without compensation.
     */
    <T> Callable<T> orUndo(Callable<Callable<T>> prepare) throws Exception {
        Callable<T> method = attempt(prepare);
        return () -> attempt(() -> {
            T result = method.call();
            if (underWay > 0) {
                detached(() -> run.until(() -> underWay == 0));
            }
            return result;
        });
    }

    private <T> T attempt(Callable<T> code) throws Exception {
        try {
            return code.call();
        } catch (Exception problem) {
            run.checkMayAct("a compensation"); // code that is being unwound has not failed
            warnOfForgotten(problem);
            throw undone(problem);
        }
    }

    /** Logs a warning if the code never called compensate on a saga. Most likely it does not catch this exception. */
    private void warnOfForgotten(Exception problem) {
        int forgotten = sagas.stream()
                .filter(saga -> saga != completed)
                .mapToInt(CompensationList::forgotten)
                .sum();
        String note = forgotten > 0 && !run.isReplaying() ? run.mayLog() : null;
        if (note != null) {
            boolean isCancel = problem instanceof CancelledException;
            LOG.warn(
                    "Run {} of workflow id '{}' ends with {}, and {} compensations of its Saga do not run, because its code "
                            + "did not call compensate. Catch {} around the saga, and call Saga.compensateAfter.{}",
                    run.run().runId(),
                    run.run().workflowId(),
                    problem.getClass().getSimpleName(),
                    forgotten,
                    isCancel
                            ? "RuntimeException (CancelledException is not an ActivityFailedException)"
                            : "RuntimeException",
                    note);
        }
    }

    private Exception undone(Exception problem) {
        Exception[] end = {problem};
        detached(() -> {
            run.until(() -> underWay == 0);
            failing = true;
            while (isMoreToCome()) {
                CompensationFailedException failed = completed.undo();
                if (failed != null) {
                    log(failed);
                    end[0] = both(end[0], failed);
                }
            }
        });
        return end[0];
    }

    private boolean isMoreToCome() {
        run.until(() -> !completed.isEmpty() || inFlight + underWay == 0);
        return !completed.isEmpty();
    }

    /**
     * Returns one exception for the run's end and its failed compensations. A cancelled run records only a reason, so
     * the reason includes the summary.
     */
    private static Exception both(Exception problem, CompensationFailedException failed) {
        Exception both = problem;
        if (problem instanceof CancelledException cancelled) {
            both = new CancelledException(cancelled.reason() + "; of its compensations " + failed.summary());
            both.setStackTrace(cancelled.getStackTrace());
        }
        both.addSuppressed(failed);
        return both;
    }

    private void log(CompensationFailedException failed) {
        if (!run.isReplaying()) {
            LOG.error(
                    "Run {} of workflow id '{}' has failed, and some of its compensations failed too.",
                    run.run().runId(),
                    run.run().workflowId(),
                    failed);
        }
    }
}
