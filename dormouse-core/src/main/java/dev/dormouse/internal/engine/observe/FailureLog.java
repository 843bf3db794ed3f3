package dev.dormouse.internal.engine.observe;

import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.ProgrammingError;
import dev.dormouse.internal.run.TimerTypes;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.run.RunKind;
import dev.dormouse.store.run.RunRow;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log lines about failures of user code: an attempt of a step or handler (the first, second, fourth, eighth …), and a
 * run that has failed or timed out. A step that fails for the third time in a row with the same {@link
 * ProgrammingError} gets one more line, once. Lines are written after the commit that makes them true, so a replay writes none.
 *
 * <p>At most {@value #MOST} lines a minute are about the same step of the same type, or about runs of the same type.
 * Thread-safe.
 */
public final class FailureLog {
    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);
    private static final int MOST = 8;

    /** The steps whose repeated programming errors are counted; beyond that, the oldest is forgotten. */
    private static final int MOST_COUNTED = 1_000;

    private final LineLimit limit;
    private final Map<String, Repeated> repeated = new LinkedHashMap<>();

    /** A failure, and how often in a row a step has failed with it on this node. */
    private record Repeated(Failure failure, int times) {}

    FailureLog(Threads threads) {
        this.limit = new LineLimit(threads, MOST);
    }

    /**
     * Logs an attempt that has failed; does nothing for other events.
     *
     * @param problem the exception itself; null if only its text is known
     */
    public void stepEnded(RunRow row, Event event, @Nullable Throwable problem) {
        if (event instanceof Event.StepPostponed later && later.failure() != null) {
            String then = "The next attempt begins at " + later.nextAt() + ".";
            attempt(row, later.name(), later.tried().attempt(), later.failure(), then, problem);
            Failure failure = problem == null ? later.failure() : Failure.of(problem);
            if (times(row, later.call(), failure) == ProgrammingError.MANY) {
                looksLikeABug(row, later.name(), failure, then, problem);
            }
        } else if (event instanceof Event.StepFailed failed && !isTimer(row)) {
            String then = "There is no further attempt.";
            attempt(row, failed.name(), failed.attempts(), failed.failure(), then, problem);
        } // the last attempt of a timer is logged when its run closes
    }

    /** Returns how often in a row a step has failed with the same programming error; 0 for other failures. */
    private int times(RunRow row, int call, Failure failure) {
        String step = row.runId() + " " + call;
        synchronized (repeated) {
            Repeated before = repeated.remove(step);
            if (!ProgrammingError.is(failure)) {
                return 0;
            }
            int earlier = before != null && ProgrammingError.isSame(before.failure(), failure) ? before.times() : 0;
            Repeated now = new Repeated(failure, earlier + 1);
            repeated.put(step, now);
            if (repeated.size() > MOST_COUNTED) {
                repeated.remove(repeated.keySet().iterator().next());
            }
            return now.times();
        }
    }

    private void looksLikeABug(RunRow row, String step, Failure failure, String then, @Nullable Throwable problem) {
        String advice =
                "Correct the code and deploy it: the run continues with the next attempt that succeeds. To stop "
                        + "after such an exception, use RetryPolicy.withNonRetryable. " + then;
        warn(
                row.type() + " " + step + " bug",
                what(row, step) + " looks like a bug: it has failed " + ProgrammingError.MANY
                        + " times in a row at the same place with ",
                failure,
                advice,
                problem);
    }

    private static String what(RunRow row, String step) {
        return isTimer(row)
                ? "Handler '" + step + "' for timer '" + TimerTypes.timerId(row.workflowId()) + "' (run " + row.runId()
                        + ")"
                : "Step '" + step + "' in run " + name(row);
    }

    private void attempt(
            RunRow row, String step, int number, Failure failure, String then, @Nullable Throwable problem) {
        if (Integer.bitCount(number) == 1) {
            String what = isTimer(row)
                    ? "handler '" + step + "' for timer '" + TimerTypes.timerId(row.workflowId()) + "' (run "
                            + row.runId() + ")"
                    : "step '" + step + "' in run " + name(row);
            warn(row.type() + " " + step, "Attempt " + number + " of " + what + " failed: ", failure, then, problem);
        }
    }

    /**
     * Logs a run that has failed or timed out. Does nothing for other ends, and for activities, which are logged as
     * steps.
     */
    public void runClosed(RunRow row, Event closing, @Nullable Throwable problem) {
        if (closing instanceof Event.RunFailed failed && RunKind.of(row.type()) != RunKind.ACTIVITY) {
            String after = failed.attempts() == 0 ? "" : " after " + failed.attempts() + attempts(failed.attempts());
            String what = isTimer(row)
                    ? "Timer '" + TimerTypes.timerId(row.workflowId()) + "' of handler '"
                            + TimerTypes.handler(row.type()) + "' (run " + row.runId() + ")"
                    : "Run " + name(row);
            warn(row.type(), what + " has failed" + after + ": ", failed.failure(), "", problem);
        } else if (closing instanceof Event.RunTimedOut) {
            String note = limit.permit(row.type());
            if (note != null) {
                LOG.warn(
                        "Run {} has timed out: its execution timeout expired before its code ended.{}",
                        name(row),
                        note);
            }
        }
    }

    private static String attempts(int number) {
        return number == 1 ? " attempt" : " attempts";
    }

    private static boolean isTimer(RunRow row) {
        return RunKind.of(row.type()) == RunKind.TIMER;
    }

    private static String name(RunRow row) {
        return row.runId() + " of workflow id '" + row.workflowId() + "' (type '" + row.type() + "')";
    }

    private void warn(String topic, String what, Failure failure, String then, @Nullable Throwable problem) {
        String note = limit.permit(topic);
        if (note == null) {
            return;
        }
        Failure shown = problem == null ? failure : Failure.of(problem);
        String line = what + shown.toString() + (then.isEmpty() ? "" : ". " + then) + note;
        try {
            LOG.warn(line, problem == null ? shown.asException() : problem);
        } catch (RuntimeException
                | LinkageError
                | StackOverflowError broken) { // getMessage() of the exception may throw
            LOG.warn(line, shown.asException());
        }
    }

    /** Returns null if the limit for this topic is reached; otherwise a note to append to the line, often empty. */
    @Nullable
    public String mayLog(String topic) {
        return limit.permit(topic);
    }
}
