package dev.dormouse.dag.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The order of the steps. Ignores references to unknown steps, which {@link DefinitionCheck} reports. */
final class Graph {
    private final List<Step> steps;
    private final Map<String, Integer> numbers = new HashMap<>();
    /** Topological order: each step comes behind its predecessors. Steps in or behind a cycle are left out. */
    private final List<Step> inOrder = new ArrayList<>();

    private final BitSet[] before;

    Graph(List<Step> steps) {
        this.steps = steps;
        for (Step step : steps) {
            numbers.putIfAbsent(step.id(), numbers.size());
        }
        this.before = new BitSet[steps.size()];
        sort();
    }

    private List<Integer> after(Step step) {
        return step.after().stream()
                .map(numbers::get)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    private void sort() {
        int[] open = new int[steps.size()];
        List<List<Integer>> followers = new ArrayList<>();
        steps.forEach(step -> followers.add(new ArrayList<>()));
        ArrayDeque<Integer> ready = new ArrayDeque<>();
        for (int i = 0; i < steps.size(); i++) {
            before[i] = new BitSet(steps.size());
            List<Integer> ahead = after(steps.get(i));
            open[i] = ahead.size();
            for (int one : ahead) {
                followers.get(one).add(i);
            }
            if (open[i] == 0) {
                ready.add(i);
            }
        }
        while (!ready.isEmpty()) {
            int next = ready.remove();
            inOrder.add(steps.get(next));
            for (int follower : followers.get(next)) {
                before[follower].or(before[next]);
                before[follower].set(next);
                if (--open[follower] == 0) {
                    ready.add(follower);
                }
            }
        }
    }

    /** Returns true if step {@code one} comes before step {@code other}. Valid only if there is no cycle. */
    boolean isBefore(String one, String other) {
        Integer first = numbers.get(one);
        Integer second = numbers.get(other);
        return first != null && second != null && before[second].get(first);
    }

    /** Returns the steps of a cycle, with the first one repeated at the end; empty if there is no cycle. */
    List<String> cycle() {
        Set<Step> sorted = new LinkedHashSet<>(inOrder);
        Step at = steps.stream()
                .filter(step -> !sorted.contains(step))
                .findFirst()
                .orElse(null);
        List<String> way = new ArrayList<>();
        while (at != null && !way.contains(at.id())) {
            way.add(at.id());
            at = after(at).stream()
                    .map(steps::get)
                    .filter(step -> !sorted.contains(step))
                    .findFirst()
                    .orElse(null);
        }
        if (at == null) {
            return List.of();
        }
        List<String> cycle = new ArrayList<>(way.subList(way.indexOf(at.id()), way.size()));
        cycle.add(at.id());
        Collections.reverse(cycle);
        return cycle;
    }
}
