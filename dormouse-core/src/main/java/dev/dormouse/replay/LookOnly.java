package dev.dormouse.replay;

import dev.dormouse.error.ErrorCode;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether the code may only look at its fields right now: in conditions, queries and validators. */
final class LookOnly {
    private static final Logger LOG = LoggerFactory.getLogger(LookOnly.class);

    private boolean on;
    private boolean untimed;
    private boolean warned;

    boolean isOn() {
        return on;
    }

    /** From now on for good. */
    void forGood() {
        on = true;
    }

    /** @param never whether the condition is waited for without a deadline, so that time alone wakes nobody */
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

    /** The code looks at the time. */
    void noteClock() {
        if (on && untimed && !warned) {
            warned = true;
            LOG.warn(
                    "[{}] Expected a wait with a deadline where its condition looks at the time, but there is none at {}."
                            + " Time alone wakes nobody: give the wait a deadline.",
                    ErrorCode.CONDITION_READS_CLOCK.label(),
                    SourceLine.ofCaller());
        }
    }
}
