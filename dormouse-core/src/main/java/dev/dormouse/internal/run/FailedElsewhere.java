package dev.dormouse.internal.run;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Failure;

/** A query that another node answered with an exception. */
public final class FailedElsewhere extends DormouseException {
    private static final long serialVersionUID = 1L;

    private final transient Failure failure;

    public FailedElsewhere(Failure failure) {
        super(
                ErrorCode.QUERY_FAILED,
                "Expected another node to answer the query, but it failed there: " + failure
                        + " The run is not affected.");
        this.failure = failure;
    }

    /** Returns what the other node has kept of its exception. */
    public Failure failure() {
        return failure;
    }
}
