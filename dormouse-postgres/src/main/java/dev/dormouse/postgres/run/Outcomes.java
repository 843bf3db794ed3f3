package dev.dormouse.postgres.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The outcomes of a batch as they become known, each at the place of its entry. Not thread-safe. */
final class Outcomes<E, O> {
    private final List<E> entries;
    private final List<@Nullable O> known;

    Outcomes(List<E> entries) {
        this.entries = entries;
        this.known = new ArrayList<>(Collections.nCopies(entries.size(), null));
    }

    void put(int place, O outcome) {
        known.set(place, outcome);
    }

    boolean isComplete() {
        return !known.contains(null);
    }

    /** Returns the places of entries without an outcome. */
    List<Integer> open() {
        List<Integer> places = new ArrayList<>();
        for (int place = 0; place < known.size(); place++) {
            if (known.get(place) == null) {
                places.add(place);
            }
        }
        return places;
    }

    E entry(int place) {
        return entries.get(place);
    }

    /** Sets the outcome of every entry that has none. */
    void complete(Function<E, O> rest) {
        open().forEach(place -> put(place, rest.apply(entry(place))));
    }

    List<O> all() {
        return known.stream().map(Objects::requireNonNull).toList();
    }
}
