package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Options of a {@link Saga}. Immutable; start with {@link #DEFAULT}:
 * {@code SagaOptions.DEFAULT.withParallelCompensation()}.
 */
public final class SagaOptions {
    private final boolean parallel;
    private final boolean stopsAtFailure;

    /** Options by which all compensations run one after the other, the last added first, even if one fails. */
    public static final SagaOptions DEFAULT = new SagaOptions(false, false);

    private SagaOptions(boolean parallel, boolean stopsAtFailure) {
        if (parallel && stopsAtFailure) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a saga that compensates in parallel or one that stops at a failure, but got both. Remove "
                            + "one: in parallel, all compensations have begun when one fails.");
        }
        this.parallel = parallel;
        this.stopsAtFailure = stopsAtFailure;
    }

    /**
     * Returns a copy by which each compensation is a coroutine, and all begin at once. Default: one after the other,
     * the last added first.
     *
     * @throws DormouseException BAD_ARGUMENT if {@link #withStopAtFailure} is set
     */
    public SagaOptions withParallelCompensation() {
        return new SagaOptions(true, stopsAtFailure);
    }

    /**
     * Returns a copy by which no compensation runs after one that failed. Default: the others run too.
     *
     * @throws DormouseException BAD_ARGUMENT if {@link #withParallelCompensation} is set
     */
    public SagaOptions withStopAtFailure() {
        return new SagaOptions(parallel, true);
    }

    /** Returns true to run all compensations at the same time. Default: one after the other, the last added first. */
    public boolean parallelCompensation() {
        return parallel;
    }

    /** Returns true to skip the compensations after a failed one. Default: they run too. */
    public boolean stopAtFailure() {
        return stopsAtFailure;
    }

    private List<Object> values() {
        return List.of(parallel, stopsAtFailure);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SagaOptions that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "SagaOptions" + values();
    }
}
