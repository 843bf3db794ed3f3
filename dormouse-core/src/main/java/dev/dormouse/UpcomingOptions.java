package dev.dormouse;

import dev.dormouse.Pulse.DueKind;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.util.Optional;
import java.util.Set;

/**
 * Which alarms to list, and how many at a time. Immutable; begin with {@link #ALL}.
 *
 * @param kinds only those of these. Default: all
 * @param limit at most so many on a page, 1 to 1,000. Default: 50
 * @param page {@link Pulse.Upcoming#next()} of the page before. Default: the first page
 */
public record UpcomingOptions(Set<DueKind> kinds, int limit, Optional<String> page) {
    private static final int MAX_LIMIT = 1_000;

    public static final UpcomingOptions ALL = new UpcomingOptions(Set.of(DueKind.values()), 50, Optional.empty());

    public UpcomingOptions {
        kinds = Set.copyOf(kinds);
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a page of 1 to " + MAX_LIMIT + " alarms, but got " + limit + ". Ask for several pages.");
        }
    }

    public UpcomingOptions kinds(DueKind... values) {
        return new UpcomingOptions(Set.of(values), limit, page);
    }

    public UpcomingOptions limit(int value) {
        return new UpcomingOptions(kinds, value, page);
    }

    public UpcomingOptions page(String value) {
        return new UpcomingOptions(kinds, limit, Optional.of(value));
    }
}
