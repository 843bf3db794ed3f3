package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.RunStatus;
import java.util.Optional;
import java.util.Set;

/**
 * Which runs to list, and how many at a time. Immutable; begin with {@link #ALL}.
 *
 * @param workflowIdPrefix only workflow ids that begin so. Default: all
 * @param type only this workflow type. Default: all
 * @param statuses only these. Default: all
 * @param workflowsOnly whether timers, schedules, events and single activities are left out. Default: no
 * @param limit at most so many on a page, 1 to 1,000. Default: 100
 * @param page {@link RunList#next()} of the page before. Default: the first page
 */
public record ListOptions(
        Optional<String> workflowIdPrefix,
        Optional<String> type,
        Set<RunStatus> statuses,
        boolean workflowsOnly,
        int limit,
        Optional<String> page) {
    private static final int MAX_LIMIT = 1_000;

    public static final ListOptions ALL =
            new ListOptions(Optional.empty(), Optional.empty(), Set.of(), false, 100, Optional.empty());

    public ListOptions {
        statuses = Set.copyOf(statuses);
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a page of 1 to " + MAX_LIMIT + " runs, but got " + limit + ". Ask for several pages.");
        }
    }

    public ListOptions workflowIdPrefix(String value) {
        return new ListOptions(Optional.of(value), type, statuses, workflowsOnly, limit, page);
    }

    public ListOptions type(String value) {
        return new ListOptions(workflowIdPrefix, Optional.of(value), statuses, workflowsOnly, limit, page);
    }

    public ListOptions statuses(RunStatus... values) {
        return new ListOptions(workflowIdPrefix, type, Set.of(values), workflowsOnly, limit, page);
    }

    /** Leaves out what is no workflow of yours. */
    public ListOptions onlyWorkflows() {
        return new ListOptions(workflowIdPrefix, type, statuses, true, limit, page);
    }

    public ListOptions limit(int value) {
        return new ListOptions(workflowIdPrefix, type, statuses, workflowsOnly, value, page);
    }

    public ListOptions page(String value) {
        return new ListOptions(workflowIdPrefix, type, statuses, workflowsOnly, limit, Optional.of(value));
    }
}
