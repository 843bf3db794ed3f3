package dev.dormouse.internal.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.Problem;
import dev.dormouse.internal.history.Tried;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A step that the code wants to be executed.
 *
 * @param inTransaction whether its rows and its result are committed together, in the store's database
 * @param detached whether it goes on when the run is cancelled
 */
public record StepCall(
        int call,
        String name,
        StepPolicy policy,
        boolean inTransaction,
        boolean detached,
        Body body,
        Standing standing) {

    /** What the step does. Runs outside of the workflow's code, possibly on another thread. */
    @FunctionalInterface
    public interface Body {
        Payload run(StepAttempt attempt) throws Exception;

        /** Returns what is kept of an exception that an attempt has failed with. */
        default Failure keep(Throwable problem) {
            return Failure.of(problem);
        }
    }

    /**
     * Where the step stands, by what is recorded.
     *
     * @param tried what its attempts have come to, null before the first has
     * @param nextAt the next attempt begins not before this; null: at once
     * @param paused whether the last one has paused, so that the next one has its number
     * @param token by which it is completed from outside; null when it was not handed out
     * @param failed with what it was failed from outside
     * @param lastFailure of its last attempt, where that has failed
     */
    public record Standing(
            @Nullable Tried tried,
            @Nullable Instant nextAt,
            boolean paused,
            @Nullable UUID token,
            @Nullable Problem failed,
            @Nullable Failure lastFailure) {

        /** Not tried yet. */
        public static final Standing NEW = new Standing(null, null, false, null, null, null);

        /** The same, but the next attempt begins not before this. */
        public Standing at(Instant other) {
            return new Standing(tried, other, paused, token, failed, lastFailure);
        }

        /** The number of the attempt that is next, or of the one that was handed out. */
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
