package dev.dormouse.error;

import java.time.Instant;

/**
 * The exception for a change of an {@code UpdatableTimer} that its policy forbids, or that comes after its wait is
 * over. The code is TIMER_REFUSED.
 */
public final class TimerRefusedException extends DormouseException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception for a refused change. Dormouse creates it; a test of workflow code may, too.
     *
     * @param refusal the reason, as the end of a sentence
     */
    public TimerRefusedException(String timer, Instant wanted, String refusal) {
        super(
                ErrorCode.TIMER_REFUSED,
                "Expected timer '" + timer + "' to be moved to " + wanted + ", but " + Sentence.of(refusal)
                        + " Its end is unchanged.");
    }
}
