package dev.dormouse.internal.run;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Failure;

/** The failure of a query on another node. */
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

    /** Returns the exception of the other node, as far as it was recorded. */
    public Failure failure() {
        return failure;
    }
}
