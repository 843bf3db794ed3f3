package dev.dormouse.dag.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a run's data, such as {@code Condition.at("$.steps.price.total").isAbove(100)}. Immutable.
 *
 * <p>As JSON it is an object with a path and one comparison, {@code {"path": "$.steps.price.total", "above": 100}}, or with
 * {@code all}, {@code any} or {@code not} and further conditions.
 */
public final class Condition {
    private final Map<String, @Nullable Object> tree;
    private final List<Path> paths;
    private final Test test;

    private interface Test {
        boolean holds(@Nullable Object data);
    }

    private Condition(Map<String, @Nullable Object> tree, List<Path> paths, Test test) {
        this.tree = tree;
        this.paths = List.copyOf(paths);
        this.test = test;
    }

    /** What is at a path, for a comparison. */
    public static Subject at(String path) {
        return new Subject(Path.of(path));
    }

    /** Holds if all of these do. */
    public static Condition all(Condition... conditions) {
        return joined("all", conditions, true);
    }

    /** Holds if one of these does. */
    public static Condition any(Condition... conditions) {
        return joined("any", conditions, false);
    }

    /** Holds if this does not. */
    public static Condition not(Condition condition) {
        Condition one = BadDag.required(condition, "a condition");
        return new Condition(tree("not", checkedDepth(one.tree)), one.paths, data -> !one.test.holds(data));
    }

    private static Condition joined(String how, Condition[] conditions, boolean all) {
        List<Condition> parts = Arrays.stream(BadDag.required(conditions, "conditions"))
                .map(part -> BadDag.required(part, "a condition"))
                .toList();
        if (parts.isEmpty()) {
            throw BadDag.of("Expected one condition or more in '" + how + "', but got none. Add one.");
        }
        List<Path> paths = parts.stream().flatMap(part -> part.paths.stream()).toList();
        List<Object> trees = new ArrayList<>();
        parts.forEach(part -> trees.add(part.tree));
        Test test = all
                ? data -> parts.stream().allMatch(part -> part.test.holds(data))
                : data -> parts.stream().anyMatch(part -> part.test.holds(data));
        return new Condition(tree(how, checkedDepth(trees)), paths, test);
    }

    private static Object checkedDepth(Object tree) {
        Tree.of(tree);
        return tree;
    }

    private static Map<String, @Nullable Object> tree(String name, @Nullable Object value) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put(name, value);
        return tree;
    }

    /** Whether it holds for a run's data. */
    public boolean holds(@Nullable Object data) {
        return test.holds(data);
    }

    /** All paths that it looks at. */
    public List<Path> paths() {
        return paths;
    }

    /** As JSON has it. */
    public Map<String, @Nullable Object> tree() {
        return tree;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Condition condition && Tree.same(tree, condition.tree);
    }

    @Override
    public int hashCode() {
        return paths.hashCode();
    }

    @Override
    public String toString() {
        return Tree.json(tree);
    }

    /** What is at a path. */
    public static final class Subject {
        private final Path path;

        private Subject(Path path) {
            this.path = path;
        }

        public Condition is(@Nullable Object value) {
            Object wanted = Tree.of(value);
            return comparison("is", wanted, data -> Tree.same(path.in(data), wanted));
        }

        public Condition isNot(@Nullable Object value) {
            Object unwanted = Tree.of(value);
            return comparison("isNot", unwanted, data -> !Tree.same(path.in(data), unwanted));
        }

        /** Whether it is one of these. */
        public Condition isIn(List<?> values) {
            List<?> wanted = (List<?>) Tree.of(BadDag.required(values, "a list of values"));
            return comparison(
                    "in",
                    wanted,
                    data -> wanted != null && wanted.stream().anyMatch(value -> Tree.same(path.in(data), value)));
        }

        public Condition isAbove(Number value) {
            return number("above", value, data -> compared(data, value) > 0);
        }

        public Condition isAtLeast(Number value) {
            return number("atLeast", value, data -> compared(data, value) >= 0);
        }

        public Condition isBelow(Number value) {
            return number("below", value, data -> compared(data, value) < 0);
        }

        public Condition isAtMost(Number value) {
            return number("atMost", value, data -> compared(data, value) <= 0);
        }

        /** Whether there is something at the path, be it null. */
        public Condition exists() {
            return comparison("exists", true, path::exists);
        }

        /** Whether there is nothing at the path. */
        public Condition isMissing() {
            return comparison("exists", false, data -> !path.exists(data));
        }

        private Condition number(String how, Number value, Test test) {
            return comparison(how, Tree.of(BadDag.required(value, "a number")), test);
        }

        private int compared(@Nullable Object data, Number value) {
            Object found = path.in(data);
            if (!(found instanceof Number)) {
                throw BadDag.data("Expected a number at " + path + " to compare with " + value + ", but it is "
                        + Tree.kind(found) + ". Correct the condition or the data.");
            }
            return Tree.number(found).compareTo(Tree.number(value));
        }

        private Condition comparison(String how, @Nullable Object value, Test test) {
            Map<String, @Nullable Object> tree = tree("path", path.text());
            tree.put(how, value);
            return new Condition(tree, List.of(path), test);
        }
    }
}
