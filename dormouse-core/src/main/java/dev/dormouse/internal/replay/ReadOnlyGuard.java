package dev.dormouse.internal.replay;

import dev.dormouse.error.ErrorCode;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A guard for code that may only read the workflow's fields: conditions, queries and validators. Belongs to the run's
 * coroutines.
 */
final class ReadOnlyGuard {
    private static final Logger LOG = LoggerFactory.getLogger(ReadOnlyGuard.class);

    private boolean on;
    private boolean untimed;
    private boolean warned;

    boolean isOn() {
        return on;
    }

    /** Turns the guard on permanently. */
    void forGood() {
        on = true;
    }

    /**
     * Evaluates a condition under the guard.
     *
     * @param never true if the wait for the condition has no deadline, so that the passing of time does not re-evaluate
     *     it
     */
    boolean test(BooleanSupplier condition, boolean never) {
        boolean before = on;
        boolean untimedBefore = untimed;
        on = true;
        untimed = never;
        try {
            return condition.getAsBoolean();
        } finally {
            on = before;
            untimed = untimedBefore;
        }
    }

    <T extends @Nullable Object> T ask(Callable<T> question) throws Exception {
        boolean before = on;
        on = true;
        try {
            return question.call();
        } finally {
            on = before;
        }
    }

    /** Notes that the code reads the time. Warns once if it does so in a condition without a deadline. */
    void noteClock() {
        if (on && untimed && !warned) {
            warned = true;
            LOG.warn(
                    "[{}] Expected a deadline for a wait whose condition reads the time, but there is none at {}."
                            + " The passing of time does not re-evaluate the condition: give the wait a deadline.",
                    ErrorCode.CONDITION_READS_CLOCK.label(),
                    SourceLine.ofCaller());
        }
    }
}
