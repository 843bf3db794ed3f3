package dev.dormouse.inspect;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.Statistics.DueKind;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter for alarms, and the page to return. Immutable; start with {@link #ALL}.
 */
public final class UpcomingOptions {
    private final Set<DueKind> kinds;
    private final int limit;
    private final Optional<String> page;

    private static final int MAX_LIMIT = 1_000;

    /** Alarms of all kinds, 50 per page. */
    public static final UpcomingOptions ALL = new UpcomingOptions(Set.of(DueKind.values()), 50, Optional.empty());

    private UpcomingOptions(Set<DueKind> kinds, int limit, Optional<String> page) {
        kinds = Set.copyOf(kinds);
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a page of 1 to " + MAX_LIMIT + " alarms, but got " + limit + ". Read several pages.");
        }
        this.kinds = kinds;
        this.limit = limit;
        this.page = page;
    }

    /**
     * Returns a copy that lists only these kinds. Default: all kinds.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code values} is null
     */
    public UpcomingOptions withKinds(DueKind... values) {
        return new UpcomingOptions(FilterValues.setOf(values, "a kind of alarm"), limit, page);
    }

    /**
     * Returns a copy with a maximum page size, from 1 to 1,000. Default: 50.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is out of range
     */
    public UpcomingOptions withLimit(int value) {
        return new UpcomingOptions(kinds, value, page);
    }

    /**
     * Returns a copy for another page: {@link Statistics.Upcoming#next()} of the previous page. Default: the first
     * page.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null
     */
    public UpcomingOptions withPage(String value) {
        return new UpcomingOptions(kinds, limit, Optional.of(FilterValues.required(value, "a page")));
    }

    /** Returns the filter: only these kinds. Default: all. */
    public Set<DueKind> kinds() {
        return kinds;
    }

    /** Returns the maximum page size, from 1 to 1,000. Default: 50. */
    public int limit() {
        return limit;
    }

    /** Returns {@link Statistics.Upcoming#next()} of the previous page. Default: the first page. */
    public Optional<String> page() {
        return page;
    }

    private List<Object> values() {
        return List.of(kinds, limit, page);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof UpcomingOptions that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "UpcomingOptions" + values();
    }
}
