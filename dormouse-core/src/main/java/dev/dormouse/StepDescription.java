package dev.dormouse;

import dev.dormouse.engine.OpenStep;
import dev.dormouse.error.DormouseException;
import java.time.Instant;
import java.util.Optional;

/**
 * A step that has been tried and has not come to its end. A step in its first attempt is not shown before it has said
 * something by {@link Activity#heartbeat(Object)}.
 *
 * @param name of the step; for an activity {@code Mail.welcome}
 * @param attempt the number of the last attempt that is known of, from 1
 * @param nextAttemptAt when the next one begins; empty when it is under way, or handed out
 * @param lastFailure what the last one failed with
 * @param pause the name of its pause, empty when it does not pause
 * @param handedOut whether it waits for {@link Dormouse#completeActivity}
 * @param progress what it said last by {@link Activity#heartbeat(Object)}
 */
public record StepDescription(
        String name,
        int attempt,
        Optional<Instant> nextAttemptAt,
        Optional<String> lastFailure,
        Optional<String> pause,
        boolean handedOut,
        Optional<String> progress) {

    static StepDescription of(OpenStep step, Payloads payloads) {
        return new StepDescription(
                step.name(),
                step.attempt(),
                Optional.ofNullable(step.nextAt()),
                Optional.ofNullable(step.failure()).map(payloads::open).map(Object::toString),
                Optional.of(step.pause()).filter(name -> !name.isEmpty()),
                step.handedOut(),
                progress(step, payloads));
    }

    private static Optional<String> progress(OpenStep step, Payloads payloads) {
        if (step.details() == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(String.valueOf(payloads.decode(step.details(), Object.class)));
        } catch (DormouseException notReadable) {
            return Optional.of(step.details().bytes().length + " bytes");
        }
    }
}
