package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;

/**
 * How a {@link Saga} compensates. Immutable; begin with {@link #DEFAULT}: {@code SagaOptions.DEFAULT.inParallel()}.
 *
 * @param parallel whether all compensations run at the same time. Default: one after the other, the last added first
 * @param stopsAtFailure whether those after a failed one are left out. Default: they run too
 */
public record SagaOptions(boolean parallel, boolean stopsAtFailure) {

    public static final SagaOptions DEFAULT = new SagaOptions(false, false);

    public SagaOptions {
        if (parallel && stopsAtFailure) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a saga that compensates in parallel or one that stops at a failure, but got both. Leave one "
                            + "out: in parallel all have begun when one fails.");
        }
    }

    /** Each compensation is a coroutine, and all begin at once. */
    public SagaOptions inParallel() {
        return new SagaOptions(true, stopsAtFailure);
    }

    /** A compensation that fails is the last one that runs. */
    public SagaOptions stopAtFailure() {
        return new SagaOptions(parallel, true);
    }
}
