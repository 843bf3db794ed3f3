package dev.dormouse.inspect;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.Pulse.DueKind;
import java.util.Optional;
import java.util.Set;

/**
 * A filter for alarms, and the page to return. Immutable; start with {@link #ALL}.
 *
 * @param kinds only these kinds. Default: all
 * @param limit the maximum page size, from 1 to 1,000. Default: 50
 * @param page {@link Pulse.Upcoming#next()} of the previous page. Default: the first page
 */
public record UpcomingOptions(Set<DueKind> kinds, int limit, Optional<String> page) {
    private static final int MAX_LIMIT = 1_000;

    /** Alarms of all kinds, 50 per page. */
    public static final UpcomingOptions ALL = new UpcomingOptions(Set.of(DueKind.values()), 50, Optional.empty());

    public UpcomingOptions {
        kinds = Set.copyOf(kinds);
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a page of 1 to " + MAX_LIMIT + " alarms, but got " + limit + ". Read several pages.");
        }
    }

    /** Returns a copy that lists only these kinds. */
    public UpcomingOptions kinds(DueKind... values) {
        return new UpcomingOptions(Set.of(values), limit, page);
    }

    /**
     * Returns a copy with a maximum page size, from 1 to 1,000.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is out of range
     */
    public UpcomingOptions limit(int value) {
        return new UpcomingOptions(kinds, value, page);
    }

    /** Returns a copy for another page: {@link Pulse.Upcoming#next()} of the previous page. */
    public UpcomingOptions page(String value) {
        return new UpcomingOptions(kinds, limit, Optional.of(value));
    }
}
