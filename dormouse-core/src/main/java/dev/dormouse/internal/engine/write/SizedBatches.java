package dev.dormouse.internal.engine.write;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** A splitter of large writes into batches of at most 1,000 entries. A batch ends with the entry that reaches 8 MiB. */
public final class SizedBatches {
    static final int MAX_ENTRIES = 1_000;
    static final long MAX_BYTES = 8L << 20;

    private SizedBatches() {}

    /**
     * Splits entries into batches, in their order.
     *
     * @param bytes returns the payload size of an entry
     */
    public static <E> List<List<E>> of(List<E> entries, ToIntFunction<E> bytes) {
        List<List<E>> pieces = new ArrayList<>();
        int first = 0;
        long sum = 0;
        for (int i = 0; i < entries.size(); i++) {
            sum += bytes.applyAsInt(entries.get(i));
            if (sum >= MAX_BYTES || i + 1 - first == MAX_ENTRIES) {
                pieces.add(entries.subList(first, i + 1));
                first = i + 1;
                sum = 0;
            }
        }
        if (first < entries.size()) {
            pieces.add(entries.subList(first, entries.size()));
        }
        return pieces;
    }
}
