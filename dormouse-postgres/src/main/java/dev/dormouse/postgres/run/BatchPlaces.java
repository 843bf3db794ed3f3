package dev.dormouse.postgres.run;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** The places of a batch's entries by key, for statements that cannot return the place itself. */
record BatchPlaces<K>(Map<K, Integer> byKey) {
    static <E, K> BatchPlaces<K> of(List<E> batch, Function<E, K> key) {
        Map<K, Integer> places = new HashMap<>();
        for (int place = 0; place < batch.size(); place++) {
            places.put(key.apply(batch.get(place)), place);
        }
        return new BatchPlaces<>(places);
    }

    int of(K key) {
        return Objects.requireNonNull(byKey.get(key));
    }
}
