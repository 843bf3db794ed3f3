package dev.dormouse.postgres.sqltimers;

import dev.dormouse.internal.engine.observe.LineLimit;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.postgres.sqltimers.ActionStatements.Due;
import dev.dormouse.postgres.sqltimers.ActionStatements.Failed;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of failures of SQL timers, at most eight lines a minute for the same handler or role. Thread-safe. */
final class TimerFailures {
    private static final Logger LOG = LoggerFactory.getLogger(TimerFailures.class);
    private static final int MOST = 8;
    private static final int MOST_INNER = 2;

    private final LineLimit failures;
    private final LineLimit inner;

    TimerFailures(Threads threads) {
        this.failures = new LineLimit(threads, MOST);
        this.inner = new LineLimit(threads, MOST_INNER);
    }

    /**
     * Logs that a handler threw. Attempts 1, 2, 4, 8 … and the last one get a line.
     *
     * @param text the exception's text
     * @param pause the pause before the next attempt, if there is one
     */
    void handlerFailed(SqlTimerCall call, Throwable problem, String text, Optional<Duration> pause) {
        boolean isLast = pause.isEmpty();
        if (!isLast && Integer.bitCount(call.attempt()) != 1) {
            return;
        }
        String note = failures.permit("handler " + call.handler());
        if (note == null) {
            return;
        }
        String then = pause.map(time -> "The next attempt begins in " + time.toMillis() / 1000.0 + " s.")
                .orElse("There is no further attempt: the timer has failed.");
        String line = "Attempt " + call.attempt() + " of handler '" + call.handler() + "' for SQL timer " + call.id()
                + " failed: " + text + ". " + then + note;
        try {
            LOG.warn(line, problem);
        } catch (RuntimeException | LinkageError | StackOverflowError broken) { // printing an exception may fail
            LOG.warn(line);
        }
    }

    /** Returns a note for a log line about timers of a role; empty if the limit is reached. The line must follow. */
    Optional<String> permitForRole(String role) {
        return Optional.ofNullable(failures.permit("role " + role));
    }

    /**
     * Logs that an action has failed.
     *
     * @param note the result of {@link #permitForRole}
     */
    void actionFailed(String role, Due timer, Failed failed, String note) {
        LOG.warn(
                "SQL timer {} of role '{}' has failed: {} (SQLSTATE {}). It does not fire again; schedule a new one when the "
                        + "cause is gone.{}",
                timer.id(),
                role,
                failed.message(),
                failed.state(),
                note);
    }

    /** Logs that timers of a dropped role have failed. */
    void orphansFailed(String role, int number) {
        permitForRole(role)
                .ifPresent(note -> LOG.warn(
                        "{} SQL timers of role '{}' have failed, because the role was dropped.{}", number, role, note));
    }

    /** Logs that looking for timers failed for a reason other than the database. */
    void lookFailed(Throwable problem) {
        String note = inner.permit("look");
        if (note != null) {
            LOG.warn("Failed to look for due SQL timers; trying again.{}", note, problem);
        }
    }

    /** Logs that the end of an attempt could not be recorded. The cause is reported as an outage. */
    void attemptUnrecorded(SqlTimerCall call, Exception problem) {
        String note = inner.permit("attempt");
        if (note != null) {
            LOG.warn(
                    "The result of attempt {} of handler '{}' for SQL timer {} could not be recorded ({}). The next attempt "
                            + "begins when its lease has expired.{}",
                    call.attempt(),
                    call.handler(),
                    call.id(),
                    problem.getMessage(),
                    note);
        }
    }
}
