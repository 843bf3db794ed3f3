package dev.dormouse.timer;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.util.Optional;
import java.util.Set;

/** A filter for timers, and the page to return. Immutable; start with {@link #ALL} or {@link #of}. */
public final class TimerListOptions {
    private static final int MAX_LIMIT = 1_000;

    private final Optional<String> handler;
    private final Optional<String> idPrefix;
    private final Set<TimerStatus> statuses;
    private final int limit;
    private final Optional<String> page;

    /** All timers by id, 100 per page. */
    public static final TimerListOptions ALL =
            new TimerListOptions(Optional.empty(), Optional.of(""), Set.of(), 100, Optional.empty());

    private TimerListOptions(
            Optional<String> handler,
            Optional<String> idPrefix,
            Set<TimerStatus> statuses,
            int limit,
            Optional<String> page) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a page of 1 to " + MAX_LIMIT + " timers, but got " + limit + ". Read several pages.");
        }
        this.handler = handler;
        this.idPrefix = idPrefix;
        this.statuses = statuses;
        this.limit = limit;
        this.page = page;
    }

    /**
     * Returns options for the timers of a handler, the latest scheduled first, 100 per page.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code handler} is null
     */
    public static TimerListOptions of(String handler) {
        return new TimerListOptions(
                Optional.of(required(handler, "the name of a handler")),
                Optional.empty(),
                Set.of(),
                100,
                Optional.empty());
    }

    /**
     * Returns a copy that lists only timers whose ids have this prefix, in the order of their ids. Default: all timers,
     * of {@link #of} the latest first.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code prefix} is null
     */
    public TimerListOptions withIdPrefix(String prefix) {
        return new TimerListOptions(
                handler, Optional.of(required(prefix, "the beginning of an id")), statuses, limit, page);
    }

    /**
     * Returns a copy that lists only timers with these statuses. Default: all.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code values} is null
     */
    public TimerListOptions withStatuses(TimerStatus... values) {
        return new TimerListOptions(handler, idPrefix, Set.of(required(values, "states of timers")), limit, page);
    }

    /**
     * Returns a copy with a maximum page size, from 1 to 1,000. Default: 100.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code timers} is out of range
     */
    public TimerListOptions withLimit(int timers) {
        return new TimerListOptions(handler, idPrefix, statuses, timers, page);
    }

    /**
     * Returns a copy for another page: {@link TimerList#next()} of the previous page. Default: the first page.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code next} is null
     */
    public TimerListOptions withPage(String next) {
        return new TimerListOptions(handler, idPrefix, statuses, limit, Optional.of(required(next, "a page")));
    }

    /** Returns the handler whose timers are listed; empty for all. */
    public Optional<String> handler() {
        return handler;
    }

    /** Returns the prefix of the listed ids, in whose order they are listed; empty to list the latest first. */
    public Optional<String> idPrefix() {
        return idPrefix;
    }

    /** Returns the listed statuses; empty for all. */
    public Set<TimerStatus> statuses() {
        return statuses;
    }

    /** Returns the maximum page size. Default: 100. */
    public int limit() {
        return limit;
    }

    /** Returns the page; empty for the first. */
    public Optional<String> page() {
        return page;
    }
}
