package dev.dormouse;

import static dev.dormouse.Arguments.required;

import dev.dormouse.engine.TimerTypes;
import dev.dormouse.store.RunStatus;
import java.util.Arrays;

/** Which timers to list, and how many at a time. Immutable; begin with {@link #ALL} or {@link #of}. */
public final class TimerListOptions {
    private final ListOptions runs;

    private TimerListOptions(ListOptions runs) {
        this.runs = runs;
    }

    /** All timers, by id, 100 on a page. */
    public static final TimerListOptions ALL =
            new TimerListOptions(ListOptions.ALL.workflowIdPrefix(TimerTypes.workflowId("")));

    /** Those of a handler, the latest scheduled first, 100 on a page. */
    public static TimerListOptions of(String handler) {
        return new TimerListOptions(ListOptions.ALL.type(TimerTypes.of(required(handler, "the name of a handler"))));
    }

    /** Only those whose ids begin so. */
    public TimerListOptions idPrefix(String prefix) {
        return new TimerListOptions(
                runs.workflowIdPrefix(TimerTypes.workflowId(required(prefix, "the beginning of an id"))));
    }

    /** Only those in one of these states. Default: all. */
    public TimerListOptions statuses(TimerStatus... statuses) {
        return new TimerListOptions(runs.statuses(Arrays.stream(required(statuses, "states of timers"))
                .flatMap(status -> status.runs().stream())
                .distinct()
                .toArray(RunStatus[]::new)));
    }

    /** At most so many on a page, 1 to 1,000. Default: 100. */
    public TimerListOptions limit(int timers) {
        return new TimerListOptions(runs.limit(timers));
    }

    /** {@link TimerList#next()} of the page before. Default: the first page. */
    public TimerListOptions page(String next) {
        return new TimerListOptions(runs.page(required(next, "a page")));
    }

    ListOptions runs() {
        return runs;
    }
}
