package dev.dormouse.postgres;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** Where the entries of a batch stand, by their key, for statements that cannot return the place itself. */
record Places<K>(Map<K, Integer> byKey) {
    static <E, K> Places<K> of(List<E> batch, Function<E, K> key) {
        Map<K, Integer> places = new HashMap<>();
        for (int place = 0; place < batch.size(); place++) {
            places.put(key.apply(batch.get(place)), place);
        }
        return new Places<>(places);
    }

    int of(K key) {
        return Objects.requireNonNull(byKey.get(key));
    }
}
