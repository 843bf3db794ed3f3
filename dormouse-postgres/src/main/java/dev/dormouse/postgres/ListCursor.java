package dev.dormouse.postgres;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.util.UUID;

/**
 * A place in a list of runs.
 *
 * @param inclusive whether the run itself is still to come
 */
record ListCursor(UUID runId, String workflowId, boolean inclusive) {
    private static final UUID LAST = new UUID(-1, -1);
    private static final int UUID_LENGTH = 36;

    /** Before all runs whose workflow ids are this one or come after it. */
    static ListCursor before(String workflowId) {
        return new ListCursor(LAST, workflowId, true);
    }

    static ListCursor behind(UUID runId, String workflowId) {
        return new ListCursor(runId, workflowId, false);
    }

    static ListCursor parse(String page) {
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
