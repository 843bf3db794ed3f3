package dev.dormouse.store;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A page of runs by their alarms.
 *
 * @param next up to where the page is complete, and where the next one goes on; null when nothing is left. A page may hold
 *     fewer runs than asked for, even none, and still have a next one: a page looks at a bounded number of rows
 */
public record DuePage(List<RunRow> runs, @Nullable DuePlace next) {

    /** One page of several that go on from the same place, such as those of single lanes: in order, as far as all reach. */
    public static DuePage merge(Collection<DuePage> parts, int limit) {
        DuePlace end = parts.stream()
                .map(DuePage::next)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
        List<RunRow> runs = parts.stream()
                .flatMap(part -> part.runs.stream())
                .filter(row -> end == null || DuePlace.of(row).compareTo(end) <= 0)
                .sorted(Comparator.comparing(DuePlace::of))
                .toList();
        return runs.size() <= limit ? new DuePage(runs, end) : cut(runs.subList(0, limit));
    }

    private static DuePage cut(List<RunRow> runs) {
        return new DuePage(List.copyOf(runs), DuePlace.of(runs.get(runs.size() - 1)));
    }
}
