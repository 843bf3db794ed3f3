package dev.dormouse.benchmarks.profile;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** A node of a flame graph: a method on the sampled stacks, and the methods that it called. */
public final class FlameNode {
    private final String name;
    private final Map<String, FlameNode> above = new TreeMap<>();
    private long samples;

    private FlameNode(String name) {
        this.name = name;
    }

    /** @param collapsed lines of frames, outermost first, separated by semicolons, followed by a space and a number */
    static FlameNode of(String collapsed, UnaryOperator<List<String>> view) {
        FlameNode all = new FlameNode("all");
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
            above.computeIfAbsent(stack.get(0), FlameNode::new).add(stack.subList(1, stack.size()), more);
        }
    }

    public String name() {
        return name;
    }

    public long samples() {
        return samples;
    }

    /** Returns the called methods, the most frequent one first. */
    public List<FlameNode> above() {
        return above.values().stream()
                .sorted(Comparator.comparingLong(FlameNode::samples).reversed())
                .toList();
    }

    /** Returns the number of samples in which this method was on top. */
    public long own() {
        return samples - above.values().stream().mapToLong(FlameNode::samples).sum();
    }
}
