package dev.dormouse.store.page;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A page of due items, in order.
 *
 * @param next the place up to which this page is complete and from which the next page continues; null for the last
 *     page. A page scans a bounded number of rows: it may have fewer items than requested, even none, and still have a
 *     next page
 */
public record DuePage<T>(List<T> items, @Nullable DuePlace next) {

    /**
     * Merges pages that continue from the same place, such as those of single lanes. The result is ordered and ends
     * where the first of them ends.
     */
    public static <T> DuePage<T> merge(Collection<DuePage<T>> parts, Function<T, DuePlace> place, int limit) {
        DuePlace end = parts.stream()
                .map(DuePage::next)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
        List<T> items = parts.stream()
                .flatMap(part -> part.items.stream())
                .filter(item -> end == null || place.apply(item).compareTo(end) <= 0)
                .sorted(Comparator.comparing(place))
                .toList();
        return items.size() <= limit
                ? new DuePage<>(items, end)
                : new DuePage<>(List.copyOf(items.subList(0, limit)), place.apply(items.get(limit - 1)));
    }

    /** Returns a page with each item replaced by the result of {@code change}, and with the same next page. */
    public <R> DuePage<R> map(Function<T, R> change) {
        return new DuePage<>(items.stream().map(change).toList(), next);
    }
}
