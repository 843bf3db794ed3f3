package dev.dormouse.postgres.page;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.util.UUID;

/**
 * A position in a list of runs.
 *
 * @param inclusive whether the run itself is still to be listed
 */
record RunListCursor(UUID runId, String workflowId, boolean inclusive) {
    private static final UUID LAST = new UUID(-1, -1);
    private static final int UUID_LENGTH = 36;

    /** Returns the position before all runs whose workflow id is {@code workflowId} or sorts after it. */
    static RunListCursor before(String workflowId) {
        return new RunListCursor(LAST, workflowId, true);
    }

    static RunListCursor behind(UUID runId, String workflowId) {
        return new RunListCursor(runId, workflowId, false);
    }

    static RunListCursor parse(String page) {
        try {
            return behind(UUID.fromString(page.substring(0, UUID_LENGTH)), page.substring(UUID_LENGTH + 1));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected the next page as the page before named it, but got " + page
                            + ". Begin at the first page.",
                    e);
        }
    }

    @Override
    public String toString() {
        return runId + ":" + workflowId;
    }
}
