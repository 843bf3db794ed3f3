package dev.dormouse.internal.run;

import dev.dormouse.internal.history.Event;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run's code has come to when none of its coroutines can go on.
 *
 * @param commands what it asked for since the last time, in order
 * @param steps steps it wants since the last time, or wants again
 * @param abandoned calls of steps that it does not wait for any more
 * @param settled calls of steps that were ended from outside
 * @param earliest the earliest of its deadlines, null when it has none
 * @param alone whether nothing but the one step can make it go on: no other coroutine, no handler, no deadline
 */
public record Blocked(
        List<Event> commands,
        List<StepCall> steps,
        List<Integer> abandoned,
        List<Integer> settled,
        @Nullable Deadline earliest,
        boolean alone) {}
