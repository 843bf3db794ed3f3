package dev.dormouse.internal.run;

import dev.dormouse.internal.history.Event;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run's code when none of its coroutines can continue.
 *
 * @param commands the commands issued since the last call, in order
 * @param steps the steps requested since the last call, or requested again
 * @param abandoned call numbers of steps that the code no longer waits for
 * @param cancelled call numbers of steps whose scope was cancelled, and whose end the code awaits
 * @param settled call numbers of steps that were completed or failed from outside
 * @param earliest the earliest deadline; null if there is none
 * @param alone true if only the one step can let the code continue: no other coroutine, no handler, no deadline
 */
public record Blocked(
        List<Event> commands,
        List<StepCall> steps,
        List<Integer> abandoned,
        List<Integer> cancelled,
        List<Integer> settled,
        @Nullable Deadline earliest,
        boolean alone) {}
