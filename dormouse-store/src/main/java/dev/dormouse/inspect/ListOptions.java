package dev.dormouse.inspect;

import static dev.dormouse.inspect.FilterValues.required;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter for runs, and the page to return. Immutable; start with {@link #ALL}.
 */
public final class ListOptions {
    private final Optional<String> workflowIdPrefix;
    private final Optional<String> type;
    private final Set<RunStatus> statuses;
    private final boolean workflowsOnly;
    private final int limit;
    private final Optional<String> page;

    private static final int MAX_LIMIT = 1_000;

    /** All runs, newest first, 100 per page. */
    public static final ListOptions ALL =
            new ListOptions(Optional.empty(), Optional.empty(), Set.of(), false, 100, Optional.empty());

    private ListOptions(
            Optional<String> workflowIdPrefix,
            Optional<String> type,
            Set<RunStatus> statuses,
            boolean workflowsOnly,
            int limit,
            Optional<String> page) {
        statuses = Set.copyOf(statuses);
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a page of 1 to " + MAX_LIMIT + " runs, but got " + limit + ". Read several pages.");
        }
        this.workflowIdPrefix = workflowIdPrefix;
        this.type = type;
        this.statuses = statuses;
        this.workflowsOnly = workflowsOnly;
        this.limit = limit;
        this.page = page;
    }

    /**
     * Returns a copy that lists only workflow ids with this prefix, in the order of their ids. Default: all, newest
     * first.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null
     */
    public ListOptions withWorkflowIdPrefix(String value) {
        return new ListOptions(
                Optional.of(required(value, "the beginning of a workflow id")),
                type,
                statuses,
                workflowsOnly,
                limit,
                page);
    }

    /**
     * Returns a copy that lists only this workflow type. Default: all types.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null
     */
    public ListOptions withType(String value) {
        return new ListOptions(
                workflowIdPrefix,
                Optional.of(required(value, "the name of a workflow type")),
                statuses,
                workflowsOnly,
                limit,
                page);
    }

    /**
     * Returns a copy that lists only these statuses. Default: all statuses.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code values} is null
     */
    public ListOptions withStatuses(RunStatus... values) {
        return new ListOptions(
                workflowIdPrefix, type, FilterValues.setOf(values, "a run status"), workflowsOnly, limit, page);
    }

    /**
     * Returns a copy that leaves out timers, schedules, events and stand-alone activities. Default: they are listed.
     */
    public ListOptions withWorkflowsOnly() {
        return new ListOptions(workflowIdPrefix, type, statuses, true, limit, page);
    }

    /**
     * Returns a copy with a maximum page size, from 1 to 1,000. Default: 100.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is out of range
     */
    public ListOptions withLimit(int value) {
        return new ListOptions(workflowIdPrefix, type, statuses, workflowsOnly, value, page);
    }

    /**
     * Returns a copy for another page: {@link RunList#next()} of the previous page. Default: the first page.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null
     */
    public ListOptions withPage(String value) {
        return new ListOptions(
                workflowIdPrefix, type, statuses, workflowsOnly, limit, Optional.of(required(value, "a page")));
    }

    /** Returns the filter: only workflow ids with this prefix. Default: all. */
    public Optional<String> workflowIdPrefix() {
        return workflowIdPrefix;
    }

    /** Returns the filter: only this workflow type. Default: all. */
    public Optional<String> type() {
        return type;
    }

    /** Returns the filter: only these statuses. Default: all. */
    public Set<RunStatus> statuses() {
        return statuses;
    }

    /** Returns true to leave out timers, schedules, events and stand-alone activities. Default: false. */
    public boolean workflowsOnly() {
        return workflowsOnly;
    }

    /** Returns the maximum page size, from 1 to 1,000. Default: 100. */
    public int limit() {
        return limit;
    }

    /** Returns {@link RunList#next()} of the previous page. Default: the first page. */
    public Optional<String> page() {
        return page;
    }

    private List<Object> values() {
        return List.of(workflowIdPrefix, type, statuses, workflowsOnly, limit, page);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ListOptions that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "ListOptions" + values();
    }
}
