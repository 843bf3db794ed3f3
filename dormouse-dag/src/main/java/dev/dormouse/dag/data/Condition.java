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

    /**
     * Returns the value at a path, for a comparison.
     *
     * @throws dev.dormouse.error.DormouseException BAD_DAG if {@code path} is not a path
     */
    public static Subject at(String path) {
        return new Subject(Path.of(path));
    }

    /**
     * Returns a condition that holds if all of these hold. They are tested in this order, up to the first that does not
     * hold.
     *
     * @throws dev.dormouse.error.DormouseException BAD_DAG if there is none, or they are nested too deeply
     */
    public static Condition all(Condition... conditions) {
        return joined("all", conditions, true);
    }

    /**
     * Returns a condition that holds if any of these holds. They are tested in this order, up to the first that holds.
     *
     * @throws dev.dormouse.error.DormouseException BAD_DAG if there is none, or they are nested too deeply
     */
    public static Condition any(Condition... conditions) {
        return joined("any", conditions, false);
    }

    /**
     * Returns a condition that holds if {@code condition} does not.
     *
     * @throws dev.dormouse.error.DormouseException BAD_DAG if {@code condition} is null or nested too deeply
     */
    public static Condition not(Condition condition) {
        Condition one = DagErrors.required(condition, "a condition");
        return new Condition(tree("not", checkedDepth(one.tree)), one.paths, data -> !one.test.holds(data));
    }

    private static Condition joined(String how, Condition[] conditions, boolean all) {
        List<Condition> parts = Arrays.stream(DagErrors.required(conditions, "conditions"))
                .map(part -> DagErrors.required(part, "a condition"))
                .toList();
        if (parts.isEmpty()) {
            throw DagErrors.of("Expected one condition or more in '" + how + "', but got none. Add one.");
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
        JsonTree.of(tree);
        return tree;
    }

    private static Map<String, @Nullable Object> tree(String name, @Nullable Object value) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put(name, value);
        return tree;
    }

    /**
     * Returns true if the condition holds for the data of a run.
     *
     * @param data a JSON tree with {@code input}, {@code steps} and {@code run}; paths have no value in it if it is
     *     null
     * @throws dev.dormouse.error.DormouseException DAG_DATA if a path that is not optional has no value, or the value
     *     to compare with a number is not a number
     */
    public boolean holds(@Nullable Object data) {
        return test.holds(data);
    }

    /** Returns all paths that the condition reads. */
    public List<Path> paths() {
        return paths;
    }

    /** Returns the condition as a JSON tree. */
    public Map<String, @Nullable Object> tree() {
        return tree;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Condition condition && JsonTree.same(tree, condition.tree);
    }

    @Override
    public int hashCode() {
        return paths.hashCode();
    }

    @Override
    public String toString() {
        return JsonTree.json(tree);
    }

    /** The value at a path, as the left side of a comparison. Immutable. */
    public static final class Subject {
        private final Path path;

        private Subject(Path path) {
            this.path = path;
        }

        /**
         * Returns a condition that holds if the value equals {@code value}. Numbers are compared by their values, so
         * that 1 equals 1.0. If {@code value} is null, the condition holds for null, and for an optional path without a
         * value.
         *
         * @throws dev.dormouse.error.DormouseException BAD_DAG if {@code value} cannot be written as JSON
         */
        public Condition is(@Nullable Object value) {
            Object wanted = JsonTree.of(value);
            return comparison("is", wanted, data -> JsonTree.same(path.in(data), wanted));
        }

        /**
         * Returns a condition that holds if the value differs from {@code value}. Numbers are compared by their values,
         * so that 1 equals 1.0. If {@code value} is null, the condition holds for every value except null.
         *
         * @throws dev.dormouse.error.DormouseException BAD_DAG if {@code value} cannot be written as JSON
         */
        public Condition isNot(@Nullable Object value) {
            Object unwanted = JsonTree.of(value);
            return comparison("isNot", unwanted, data -> !JsonTree.same(path.in(data), unwanted));
        }

        /**
         * Returns a condition that holds if the value is one of {@code values}. Numbers are compared by their values.
         *
         * @throws dev.dormouse.error.DormouseException BAD_DAG if {@code values} is null or cannot be written as JSON
         */
        public Condition isIn(List<?> values) {
            List<?> wanted = (List<?>) JsonTree.of(DagErrors.required(values, "a list of values"));
            return comparison(
                    "in",
                    wanted,
                    data -> wanted != null && wanted.stream().anyMatch(value -> JsonTree.same(path.in(data), value)));
        }

        /**
         * Returns a condition that holds if the value is a number above {@code value}.
         *
         * @throws dev.dormouse.error.DormouseException BAD_DAG if {@code value} is null or cannot be written as JSON
         */
        public Condition isAbove(Number value) {
            return number("above", value, data -> compared(data, value) > 0);
        }

        /**
         * Returns a condition that holds if the value is a number at or above {@code value}.
         *
         * @throws dev.dormouse.error.DormouseException BAD_DAG if {@code value} is null or cannot be written as JSON
         */
        public Condition isAtLeast(Number value) {
            return number("atLeast", value, data -> compared(data, value) >= 0);
        }

        /**
         * Returns a condition that holds if the value is a number below {@code value}.
         *
         * @throws dev.dormouse.error.DormouseException BAD_DAG if {@code value} is null or cannot be written as JSON
         */
        public Condition isBelow(Number value) {
            return number("below", value, data -> compared(data, value) < 0);
        }

        /**
         * Returns a condition that holds if the value is a number at or below {@code value}.
         *
         * @throws dev.dormouse.error.DormouseException BAD_DAG if {@code value} is null or cannot be written as JSON
         */
        public Condition isAtMost(Number value) {
            return number("atMost", value, data -> compared(data, value) <= 0);
        }

        /** Returns a condition that holds if the path has a value, which may be null. */
        public Condition exists() {
            return comparison("exists", true, path::exists);
        }

        /** Returns a condition that holds if the path has no value. */
        public Condition isMissing() {
            return comparison("exists", false, data -> !path.exists(data));
        }

        private Condition number(String how, Number value, Test test) {
            return comparison(how, JsonTree.of(DagErrors.required(value, "a number")), test);
        }

        private int compared(@Nullable Object data, Number value) {
            Object found = path.in(data);
            if (!(found instanceof Number)) {
                throw DagErrors.data("Expected a number at " + path + " to compare with " + value + ", but it is "
                        + JsonTree.kind(found) + ". Correct the condition or the data.");
            }
            return JsonTree.number(found).compareTo(JsonTree.number(value));
        }

        private Condition comparison(String how, @Nullable Object value, Test test) {
            Map<String, @Nullable Object> tree = tree("path", path.text());
            tree.put(how, value);
            return new Condition(tree, List.of(path), test);
        }
    }
}
