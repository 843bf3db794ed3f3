package dev.dormouse.dag;

import java.time.Instant;

/**
 * An approval that a run waits for.
 *
 * @param step the id of the step that waits
 * @param token entitles its owner to decide, once: see {@link Dags#approve}
 * @param until the deadline of the approval
 */
public record PendingApproval(String step, String token, Instant until) {

    /** Returns the step and the deadline, without the token, which must stay secret. */
    @Override
    public String toString() {
        return "PendingApproval[" + step + " until " + until + "]";
    }
}
