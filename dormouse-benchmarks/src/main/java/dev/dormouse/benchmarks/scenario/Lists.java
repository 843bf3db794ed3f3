package dev.dormouse.benchmarks.scenario;

import java.util.List;
import java.util.stream.Stream;

/** Lists of several parts. */
final class Lists {
    private Lists() {}

    static <T> List<T> joined(List<T> first, List<T> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
