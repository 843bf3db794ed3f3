package dev.dormouse.internal.engine.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.Tried;
import dev.dormouse.internal.run.StepCall;
import dev.dormouse.store.base.Micros;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What an attempt of a step came to, as the event that tells of it. */
sealed interface StepEnd {

    Event event(StepCall step, Tried tried, Instant at);

    record Completed(Payload result) implements StepEnd {
        @Override
        public Event event(StepCall step, Tried tried, Instant at) {
            return new Event.StepCompleted(at, step.call(), step.name(), tried.startedAt(), result);
        }
    }

    /**
     * @param retryIn null when there is no other attempt
     * @param problem the exception itself, for the log; null where only its text is known
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
    }

    record Paused(String name, Duration delay) implements StepEnd {
        @Override
        public Event event(StepCall step, Tried tried, Instant at) {
            return new Event.StepPostponed(at, step.call(), step.name(), tried, later(at, delay), null, name);
        }
    }

    /** @param isRecorded whether that was written down before, when the token was given out */
    record HandedOut(UUID token, boolean isRecorded) implements StepEnd {
        @Override
        public Event event(StepCall step, Tried tried, Instant at) {
            return new Event.StepHandedOut(at, step.call(), step.name(), tried, token);
        }
    }

    /** Delays below zero are none. */
    static Instant later(Instant at, Duration delay) {
        try {
            Instant later = delay.isNegative() ? at : at.plus(delay);
            return later.isAfter(Micros.MAX) ? Micros.MAX : Micros.roundUp(later);
        } catch (ArithmeticException | DateTimeException tooFar) {
            return Micros.MAX;
        }
    }
}
