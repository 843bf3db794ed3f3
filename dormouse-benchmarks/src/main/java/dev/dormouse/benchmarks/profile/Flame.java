package dev.dormouse.benchmarks.profile;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** A method that was seen on stacks, and what was seen above it. */
public final class Flame {
    private final String name;
    private final Map<String, Flame> above = new TreeMap<>();
    private long samples;

    private Flame(String name) {
        this.name = name;
    }

    /** @param collapsed lines of frames, outermost first, separated by semicolons, a space and a number */
    static Flame of(String collapsed, UnaryOperator<List<String>> view) {
        Flame all = new Flame("all");
        collapsed.lines().forEach(line -> {
            int space = line.lastIndexOf(' ');
            List<String> stack = view.apply(List.of(line.substring(0, space).split(";")));
            all.add(stack, Long.parseLong(line.substring(space + 1)));
        });
        return all;
    }

    private void add(List<String> stack, long more) {
        samples += more;
        if (!stack.isEmpty()) {
            above.computeIfAbsent(stack.get(0), Flame::new).add(stack.subList(1, stack.size()), more);
        }
    }

    public String name() {
        return name;
    }

    public long samples() {
        return samples;
    }

    /** The most frequent one first. */
    public List<Flame> above() {
        return above.values().stream()
                .sorted(Comparator.comparingLong(Flame::samples).reversed())
                .toList();
    }

    /** Samples in which this was on top. */
    public long own() {
        return samples - above.values().stream().mapToLong(Flame::samples).sum();
    }
}
