package dev.dormouse.internal.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.Problem;
import dev.dormouse.internal.history.Tried;
import dev.dormouse.internal.run.StepTransition.Cause;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A step that the code wants to execute.
 *
 * @param inTransaction true if its rows and its result are committed together, in the store's database
 * @param detached true if it continues when the run is cancelled
 * @param waitsForCancellation true if the code waits for the end of the step after its scope was cancelled
 */
public record StepCall(
        int call,
        String name,
        StepPolicy policy,
        boolean inTransaction,
        boolean detached,
        boolean waitsForCancellation,
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
     * @param token the token by which an external caller completes it; null unless it is handed out
     * @param failed the failure that an external caller has reported; null unless it is reported
     * @param lastFailure the failure of its last attempt; null if that has not failed
     */
    public record Standing(
            StepState state,
            @Nullable Tried tried,
            @Nullable Instant nextAt,
            @Nullable UUID token,
            @Nullable Problem failed,
            @Nullable Failure lastFailure) {

        /** The state of a step that was not tried yet. */
        public static final Standing NEW = new Standing(StepState.REQUESTED, null, null, null, null, null);

        /** Returns the state after {@code event}, which postpones the next attempt. */
        public Standing postponed(Event.StepPostponed event) {
            StepState next = event.failure() == null ? StepState.PAUSED : StepState.BACKING_OFF;
            return new Standing(
                    state.to(next, Cause.RECORD), event.tried(), event.nextAt(), null, null, event.failure());
        }

        /** Returns the state after {@code event}, which hands out the token. */
        public Standing handedOut(Event.StepHandedOut event) {
            StepState next = state.to(StepState.HANDED_OUT, Cause.RECORD);
            return new Standing(next, event.tried(), null, event.token(), null, null);
        }

        /** Returns the state after the holder of the token has reported {@code problem}. */
        public Standing reported(Problem problem) {
            return new Standing(state.to(StepState.REPORTED, Cause.RECORD), tried, null, null, problem, null);
        }

        /** Returns this standing with another state, and everything else unchanged. */
        public Standing to(StepState next, Cause cause) {
            return new Standing(state.to(next, cause), tried, nextAt, token, failed, lastFailure);
        }

        /** Returns this state with a next attempt that starts at {@code other} at the earliest. */
        public Standing at(Instant other) {
            return new Standing(state, tried, other, token, failed, lastFailure);
        }

        /** Returns the number of the next attempt, or of the one that paused or was handed out. */
        public int attempt() {
            if (tried == null) {
                return 1;
            }
            return state == StepState.PAUSED || state == StepState.HANDED_OUT ? tried.attempt() : tried.attempt() + 1;
        }
    }

    public StepCall with(Standing newStanding) {
        return new StepCall(call, name, policy, inTransaction, detached, waitsForCancellation, body, newStanding);
    }
}
