package dev.dormouse.internal.engine.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.Tried;
import dev.dormouse.internal.run.StepCall;
import dev.dormouse.internal.run.StepState;
import dev.dormouse.store.base.Micros;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The end of an attempt of a step, and the event that records it. */
sealed interface StepEnd {

    Event event(StepCall step, Tried tried, Instant at);

    /** Returns the state of the step once the code has taken this end. */
    StepState next();

    record Completed(Payload result) implements StepEnd {
        @Override
        public Event event(StepCall step, Tried tried, Instant at) {
            return new Event.StepCompleted(at, step.call(), step.name(), tried.startedAt(), result);
        }

        @Override
        public StepState next() {
            return StepState.COMPLETED;
        }
    }

    /**
     * A failed attempt.
     *
     * @param retryIn the delay before the next attempt; null if there is none
     * @param problem the exception for log lines; null if only its text is known
     */
    record Failed(
            Failure failure,
            @Nullable Duration retryIn,
            @Nullable Throwable problem) implements StepEnd {
        @Override
        public Event event(StepCall step, Tried tried, Instant at) {
            return retryIn == null
                    ? new Event.StepFailed(at, step.call(), step.name(), tried.startedAt(), failure, tried.attempt())
                    : new Event.StepPostponed(at, step.call(), step.name(), tried, later(at, retryIn), failure, "");
        }

        @Override
        public StepState next() {
            return retryIn == null ? StepState.FAILED : StepState.BACKING_OFF;
        }
    }

    record Paused(String name, Duration delay) implements StepEnd {
        @Override
        public Event event(StepCall step, Tried tried, Instant at) {
            return new Event.StepPostponed(at, step.call(), step.name(), tried, later(at, delay), null, name);
        }

        @Override
        public StepState next() {
            return StepState.PAUSED;
        }
    }

    /**
     * A token that was handed out; the result comes from its holder.
     *
     * @param isRecorded true if it was recorded before, when the token was handed out
     */
    record HandedOut(UUID token, boolean isRecorded) implements StepEnd {
        @Override
        public Event event(StepCall step, Tried tried, Instant at) {
            return new Event.StepHandedOut(at, step.call(), step.name(), tried, token);
        }

        @Override
        public StepState next() {
            return StepState.HANDED_OUT;
        }
    }

    /** Returns {@code at} plus {@code delay}, at most {@link Micros#MAX}. A negative delay counts as zero. */
    static Instant later(Instant at, Duration delay) {
        try {
            Instant later = delay.isNegative() ? at : at.plus(delay);
            return later.isAfter(Micros.MAX) ? Micros.MAX : Micros.roundUp(later);
        } catch (ArithmeticException | DateTimeException tooFar) {
            return Micros.MAX;
        }
    }
}
