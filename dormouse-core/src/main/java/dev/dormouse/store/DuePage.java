package dev.dormouse.store;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A page of what is due, in order.
 *
 * @param next up to where the page is complete, and where the next one goes on; null when nothing is left. A page may hold
 *     fewer items than asked for, even none, and still have a next one: a page looks at a bounded number of rows
 */
public record DuePage<T>(List<T> items, @Nullable DuePlace next) {

    /** One page of several that go on from the same place, such as those of single lanes: in order, as far as all reach. */
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

    public <R> DuePage<R> map(Function<T, R> change) {
        return new DuePage<>(items.stream().map(change).toList(), next);
    }
}
