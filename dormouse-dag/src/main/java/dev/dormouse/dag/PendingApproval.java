package dev.dormouse.dag;

import java.time.Instant;

/**
 * An approval that a run waits for.
 *
 * @param token whoever has it can decide, once: see {@link Dags#approve}
 * @param until when its time is up
 */
public record PendingApproval(String step, String token, Instant until) {

    /** Without what must stay secret. */
    @Override
    public String toString() {
        return "PendingApproval[" + step + " until " + until + "]";
    }
}
