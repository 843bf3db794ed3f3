package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.Sentence;
import java.time.Instant;

/** An {@link UpdatableTimer} was not moved: its policy forbids it, or its wait is over. */
public final class TimerRefused extends DormouseException {
    private static final long serialVersionUID = 1L;

    TimerRefused(String timer, Instant wanted, String refusal) {
        super(
                ErrorCode.TIMER_REFUSED,
                "Expected timer '" + timer + "' to be moved to " + wanted + ", but " + Sentence.of(refusal)
                        + " It ends when it did.");
    }
}
