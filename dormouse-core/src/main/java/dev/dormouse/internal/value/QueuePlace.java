package dev.dormouse.internal.value;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.run.Queued;
import java.util.Optional;

/** Checks and copies for the queue settings in the options of runs and activities. */
public final class QueuePlace {
    private QueuePlace() {}

    public static Optional<Queued> in(Optional<Queued> before, String queue) {
        Ids.checkedName("queue", Arguments.required(queue, "the name of a queue"));
        return Optional.of(new Queued(
                queue,
                before.map(Queued::priority).orElse(0),
                before.map(Queued::key).orElse("")));
    }

    public static Optional<Queued> priority(Optional<Queued> before, int priority) {
        if (priority < 0 || priority > Queued.HIGHEST) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a priority from 0 to " + Queued.HIGHEST + ", but got " + priority
                            + ". Higher ones go first; 0 is the default.");
        }
        Queued place = named(before, "priority");
        return Optional.of(new Queued(place.queue(), priority, place.key()));
    }

    public static Optional<Queued> rateKey(Optional<Queued> before, String key) {
        Ids.checkKey(key);
        Queued place = named(before, "rate key");
        return Optional.of(new Queued(place.queue(), place.priority(), key));
    }

    private static Queued named(Optional<Queued> place, String what) {
        return place.orElseThrow(() -> new DormouseException(
                ErrorCode.BAD_ARGUMENT,
                "Expected a " + what + " within a queue, but no queue is set. Call queue(…) first."));
    }
}
