package dev.dormouse;

import static dev.dormouse.Arguments.required;

import dev.dormouse.internal.run.TimerTypes;
import dev.dormouse.store.run.RunStatus;
import java.util.Arrays;

/** A filter for timers, and the page to return. Immutable; start with {@link #ALL} or {@link #of}. */
public final class TimerListOptions {
    private final ListOptions runs;

    private TimerListOptions(ListOptions runs) {
        this.runs = runs;
    }

    /** All timers by id, 100 per page. */
    public static final TimerListOptions ALL =
            new TimerListOptions(ListOptions.ALL.workflowIdPrefix(TimerTypes.workflowId("")));

    /**
     * Returns options for the timers of a handler, the latest scheduled first, 100 per page.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code handler} is null
     */
    public static TimerListOptions of(String handler) {
        return new TimerListOptions(ListOptions.ALL.type(TimerTypes.of(required(handler, "the name of a handler"))));
    }

    /**
     * Returns a copy that lists only timers whose ids have this prefix.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code prefix} is null
     */
    public TimerListOptions idPrefix(String prefix) {
        return new TimerListOptions(
                runs.workflowIdPrefix(TimerTypes.workflowId(required(prefix, "the beginning of an id"))));
    }

    /**
     * Returns a copy that lists only timers with these statuses. Default: all.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code statuses} is null
     */
    public TimerListOptions statuses(TimerStatus... statuses) {
        return new TimerListOptions(runs.statuses(Arrays.stream(required(statuses, "states of timers"))
                .flatMap(status -> status.runs().stream())
                .distinct()
                .toArray(RunStatus[]::new)));
    }

    /**
     * Returns a copy with a maximum page size, from 1 to 1,000. Default: 100.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code timers} is out of range
     */
    public TimerListOptions limit(int timers) {
        return new TimerListOptions(runs.limit(timers));
    }

    /**
     * Returns a copy for another page: {@link TimerList#next()} of the previous page. Default: the first page.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code next} is null
     */
    public TimerListOptions page(String next) {
        return new TimerListOptions(runs.page(required(next, "a page")));
    }

    ListOptions runs() {
        return runs;
    }
}
