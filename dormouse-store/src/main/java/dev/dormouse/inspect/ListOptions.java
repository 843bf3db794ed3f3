package dev.dormouse.inspect;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.util.Optional;
import java.util.Set;

/**
 * A filter for runs, and the page to return. Immutable; start with {@link #ALL}.
 *
 * @param workflowIdPrefix only workflow ids with this prefix. Default: all
 * @param type only this workflow type. Default: all
 * @param statuses only these statuses. Default: all
 * @param workflowsOnly true to leave out timers, schedules, events and stand-alone activities. Default: false
 * @param limit the maximum page size, from 1 to 1,000. Default: 100
 * @param page {@link RunList#next()} of the previous page. Default: the first page
 */
public record ListOptions(
        Optional<String> workflowIdPrefix,
        Optional<String> type,
        Set<RunStatus> statuses,
        boolean workflowsOnly,
        int limit,
        Optional<String> page) {
    private static final int MAX_LIMIT = 1_000;

    /** All runs, newest first, 100 per page. */
    public static final ListOptions ALL =
            new ListOptions(Optional.empty(), Optional.empty(), Set.of(), false, 100, Optional.empty());

    public ListOptions {
        statuses = Set.copyOf(statuses);
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a page of 1 to " + MAX_LIMIT + " runs, but got " + limit + ". Read several pages.");
        }
    }

    /** Returns a copy that lists only workflow ids with this prefix, in the order of their ids. */
    public ListOptions workflowIdPrefix(String value) {
        return new ListOptions(Optional.of(value), type, statuses, workflowsOnly, limit, page);
    }

    /** Returns a copy that lists only this workflow type. */
    public ListOptions type(String value) {
        return new ListOptions(workflowIdPrefix, Optional.of(value), statuses, workflowsOnly, limit, page);
    }

    /** Returns a copy that lists only these statuses. */
    public ListOptions statuses(RunStatus... values) {
        return new ListOptions(workflowIdPrefix, type, Set.of(values), workflowsOnly, limit, page);
    }

    /** Returns a copy that leaves out timers, schedules, events and stand-alone activities. */
    public ListOptions onlyWorkflows() {
        return new ListOptions(workflowIdPrefix, type, statuses, true, limit, page);
    }

    /**
     * Returns a copy with a maximum page size, from 1 to 1,000.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is out of range
     */
    public ListOptions limit(int value) {
        return new ListOptions(workflowIdPrefix, type, statuses, workflowsOnly, value, page);
    }

    /** Returns a copy for another page: {@link RunList#next()} of the previous page. */
    public ListOptions page(String value) {
        return new ListOptions(workflowIdPrefix, type, statuses, workflowsOnly, limit, Optional.of(value));
    }
}
