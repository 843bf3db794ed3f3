package dev.dormouse.internal.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.Problem;
import dev.dormouse.internal.history.Tried;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A step that the code wants to execute.
 *
 * @param inTransaction true if its rows and its result are committed together, in the store's database
 * @param detached true if it continues when the run is cancelled
 */
public record StepCall(
        int call,
        String name,
        StepPolicy policy,
        boolean inTransaction,
        boolean detached,
        Body body,
        Standing standing) {

    /** The body of a step. Runs outside of the workflow code, possibly on another thread. */
    @FunctionalInterface
    public interface Body {
        Payload run(StepAttempt attempt) throws Exception;

        /** Returns the recorded form of an exception with which an attempt has failed. */
        default Failure keep(Throwable problem) {
            return Failure.of(problem);
        }
    }

    /**
     * The recorded state of the step.
     *
     * @param tried the attempts so far; null before the first has ended
     * @param nextAt the earliest start of the next attempt; null for at once
     * @param paused true if the last attempt has paused, so that the next one has the same number
     * @param token the token by which an external caller completes it; null if it was not handed out
     * @param failed the failure that an external caller has reported; null for none
     * @param lastFailure the failure of its last attempt; null if that has not failed
     */
    public record Standing(
            @Nullable Tried tried,
            @Nullable Instant nextAt,
            boolean paused,
            @Nullable UUID token,
            @Nullable Problem failed,
            @Nullable Failure lastFailure) {

        /** The state of a step that was not tried yet. */
        public static final Standing NEW = new Standing(null, null, false, null, null, null);

        /** Returns this state with a next attempt that starts at {@code other} at the earliest. */
        public Standing at(Instant other) {
            return new Standing(tried, other, paused, token, failed, lastFailure);
        }

        /** Returns the number of the next attempt, or of the one that was handed out. */
        public int attempt() {
            if (tried == null) {
                return 1;
            }
            return paused || token != null ? tried.attempt() : tried.attempt() + 1;
        }
    }

    public StepCall with(Standing newStanding) {
        return new StepCall(call, name, policy, inTransaction, detached, body, newStanding);
    }
}
