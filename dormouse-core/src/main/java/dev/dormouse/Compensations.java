package dev.dormouse;

import dev.dormouse.error.CanceledFailure;
import dev.dormouse.replay.Replay;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a run undoes by itself if it fails: completed calls of activities that have a {@link Compensate} method. They are
 * a {@link Saga} that belongs to the run. Nothing of it is stored: replay brings the same calls to the same end again.
 *
 * <p>Calls that are in flight in other coroutines when the workflow fails may still complete, so the run waits for them,
 * and undoes these too. No new ones begin by then, so that this comes to an end.
 */
final class Compensations {
    private static final Logger LOG = LoggerFactory.getLogger(Compensations.class);

    private final Replay run;
    private final Saga completed = new Saga(this, SagaOptions.DEFAULT);
    private final List<Saga> sagas = new ArrayList<>();
    private int inFlight;
    private int underWay;
    private boolean failing;

    Compensations(Replay run) {
        this.run = run;
    }

    /** A saga has its first compensation. */
    void added(Saga saga) {
        sagas.add(saga);
    }

    void checkMayAct(String what) {
        run.checkMayAct(what);
    }

    <T> Promise<T> async(Callable<T> body) {
        return Coroutine.start(run, body);
    }

    /** Runs compensations, whatever was cancelled; the run is not closed before they are over. */
    void undo(Runnable body) {
        underWay++;
        try {
            detached(body);
        } finally {
            underWay--;
        }
    }

    private void detached(Runnable body) {
        new CancellationScope(run, true, body).run();
    }

    /**
     * Calls an activity that is to be undone if it completes and the workflow fails.
     *
     * @param undo makes the compensation out of the result, at once: the result may change later
     */
    @Nullable
    Object call(String name, Supplier<@Nullable Object> activity, Function<@Nullable Object, Runnable> undo) {
        run.checkMayAct("a call that " + name + " undoes");
        if (failing) {
            throw new CanceledFailure("the workflow has failed and undoes what it did");
        }
        inFlight++;
        try {
            Object result = activity.get();
            completed.addCompensation(name, undo.apply(result));
            return result;
        } finally {
            inFlight--;
        }
    }

    /** A workflow method that leaves nothing behind when it fails. Errors are no failures: they pass. */
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
            run.checkMayAct("a compensation"); // code that is unwound has not failed
            warnOfForgotten(problem);
            throw undone(problem);
        }
    }

    /** A saga that the code has never told to compensate is most likely one that does not catch this exception. */
    private void warnOfForgotten(Exception problem) {
        int forgotten = sagas.stream()
                .filter(saga -> saga != completed)
                .mapToInt(Saga::forgotten)
                .sum();
        String note = forgotten > 0 && !run.isReplaying() ? run.mayLog() : null;
        if (note != null) {
            boolean isCancel = problem instanceof CanceledFailure;
            LOG.warn(
                    "Run {} of workflow id '{}' ends with {}, and {} compensations of its Saga do not run, because its code "
                            + "did not call compensate. Catch {} around the saga, and call Saga.compensateAfter there.{}",
                    run.run().runId(),
                    run.run().workflowId(),
                    problem.getClass().getSimpleName(),
                    forgotten,
                    isCancel ? "RuntimeException (CanceledFailure is not an ActivityFailure)" : "RuntimeException",
                    note);
        }
    }

    private Exception undone(Exception problem) {
        Exception[] end = {problem};
        detached(() -> {
            run.until(() -> underWay == 0);
            failing = true;
            while (isMoreToCome()) {
                CompensationFailed failed = completed.undo();
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

    /** Of a cancelled run only the reason is kept. */
    private static Exception both(Exception problem, CompensationFailed failed) {
        Exception both = problem;
        if (problem instanceof CanceledFailure canceled) {
            both = new CanceledFailure(canceled.reason() + "; of its compensations " + failed.summary());
            both.setStackTrace(canceled.getStackTrace());
        }
        both.addSuppressed(failed);
        return both;
    }

    private void log(CompensationFailed failed) {
        if (!run.isReplaying()) {
            LOG.error(
                    "Run {} of workflow id '{}' has failed, and could not undo all that it did.",
                    run.run().runId(),
                    run.run().workflowId(),
                    failed);
        }
    }
}
