package dev.dormouse;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Cycles of dependencies between classes. Nested classes count as part of their outermost class. */
public final class ClassCycles {
    private final Map<String, Set<String>> graph = new TreeMap<>();
    private final Map<String, Integer> order = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> path = new ArrayDeque<>();
    private final List<Set<String>> cycles = new ArrayList<>();

    private ClassCycles() {}

    /** Returns the groups of two or more classes that depend on each other, directly or through others. */
    public static List<Set<String>> of(JavaClasses classes) {
        ClassCycles search = new ClassCycles();
        for (JavaClass type : classes) {
            Set<String> targets = search.graph.computeIfAbsent(outermost(type), name -> new TreeSet<>());
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                if (classes.contain(dependency.getTargetClass().getName())) {
                    targets.add(outermost(dependency.getTargetClass()));
                }
            }
        }
        search.graph.keySet().forEach(search::visit);
        return search.cycles;
    }

    private static String outermost(JavaClass type) {
        return type.getEnclosingClass().map(ClassCycles::outermost).orElse(type.getName());
    }

    /** Tarjan's algorithm for strongly connected components. */
    private void visit(String type) {
        if (order.containsKey(type)) {
            return;
        }
        int number = order.size();
        order.put(type, number);
        lowest.put(type, number);
        path.push(type);
        for (String target : graph.get(type)) {
            if (!order.containsKey(target)) {
                visit(target);
                lowest.merge(type, lowest.get(target), Math::min);
            } else if (path.contains(target)) {
                lowest.merge(type, order.get(target), Math::min);
            }
        }
        if (lowest.get(type) == number) {
            Set<String> group = new TreeSet<>();
            String last;
            do {
                last = path.pop();
                group.add(last);
            } while (!last.equals(type));
            if (group.size() > 1) {
                cycles.add(group);
            }
        }
    }
}
