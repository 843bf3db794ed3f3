package dev.dormouse.dag.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A path into a JSON tree: {@code $.input.order.items[0]}, {@code $.steps.fetch['a name with a dot . in it']}. A path
 * that ends with a question mark is optional: without a value it yields null instead of an error.
 *
 * @param text as it was written
 * @param parts names (texts) and indexes (integers), from the root
 * @param optional true if a missing value is not an error
 */
public record Path(String text, List<Object> parts, boolean optional) {
    private static final Pattern PART =
            Pattern.compile("\\.([^.\\[\\]'?$\\s][^.\\[\\]'?\\s]*)|\\[(\\d{1,9})]|\\['((?:[^'\\\\]|\\\\.){1,200}+)']");
    private static final String STEPS = "steps";
    private static final int LONGEST = 1_000;

    /**
     * Parses a path.
     *
     * @throws dev.dormouse.error.DormouseException BAD_DAG if {@code text} is not a path
     */
    public static Path of(String text) {
        String whole = DagErrors.required(text, "a path such as $.input.order");
        if (whole.length() > LONGEST) {
            throw DagErrors.of("Expected a path of at most " + LONGEST + " characters, but got one of " + whole.length()
                    + ". Use a shorter one.");
        }
        boolean optional = whole.endsWith("?");
        String way = optional ? whole.substring(0, whole.length() - 1) : whole;
        List<Object> parts = new ArrayList<>();
        int at = way.startsWith("$") ? 1 : -1;
        Matcher matcher = PART.matcher(way);
        while (at > 0 && at < way.length() && matcher.region(at, way.length()).lookingAt()) {
            parts.add(part(matcher));
            at = matcher.end();
        }
        if (at != way.length() || parts.isEmpty()) {
            throw DagErrors.of("Expected a path such as $.input.order.items[0] or $.steps.fetch.total, but got '"
                    + JsonTree.cut(whole)
                    + "'. Begin with $.input or $.steps, and put names with dots in brackets: ['a.b'].");
        }
        return new Path(whole, List.copyOf(parts), optional);
    }

    private static Object part(Matcher matcher) {
        if (matcher.group(2) != null) {
            return Integer.valueOf(matcher.group(2));
        }
        return matcher.group(1) != null ? matcher.group(1) : matcher.group(3).replaceAll("\\\\(.)", "$1");
    }

    /** Returns true if {@code text} starts like a path. */
    static boolean isOne(String text) {
        return text.startsWith("$.") || text.startsWith("$[");
    }

    /** Returns the first part, such as {@code input}. */
    public String root() {
        return parts.get(0).toString();
    }

    /** Returns the step whose output the path reads; empty if it does not read one. */
    public Optional<String> step() {
        return root().equals(STEPS) && parts.size() > 1
                ? Optional.of(parts.get(1).toString())
                : Optional.empty();
    }

    /** Returns the value, wrapped in an array because it may be null; empty if there is none. */
    Optional<@Nullable Object[]> find(@Nullable Object tree) {
        Object at = tree;
        for (Object part : parts) {
            if (part instanceof Integer index && at instanceof List<?> items && index < items.size()) {
                at = items.get(index);
            } else if (at instanceof Map<?, ?> fields && fields.containsKey(part.toString())) {
                at = fields.get(part.toString());
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(new @Nullable Object[] {at});
    }

    /** Returns true if the path has a value, which may be null. */
    public boolean exists(@Nullable Object tree) {
        return find(tree).isPresent();
    }

    /**
     * Returns the value at the path; null if the value is null, or if the path is optional and has no value.
     *
     * @param tree the tree to look into; a path has no value in a tree that is null
     * @throws dev.dormouse.error.DormouseException DAG_DATA if there is no value and the path is not optional
     */
    public @Nullable Object in(@Nullable Object tree) {
        Optional<@Nullable Object[]> found = find(tree);
        if (found.isPresent()) {
            return found.get()[0];
        } else if (optional) {
            return null;
        }
        throw DagErrors.data("Expected a value at " + text + ", but " + whatIsThere(tree) + ". Correct the path or the "
                + "data, or write " + text + "? if it may be missing.");
    }

    private String whatIsThere(@Nullable Object tree) {
        Object at = tree;
        StringBuilder way = new StringBuilder("$");
        for (Object part : parts) {
            if (part instanceof Integer index && at instanceof List<?> items) {
                if (index >= items.size()) {
                    return way + " has " + items.size() + " items";
                }
                at = items.get(index);
            } else if (at instanceof Map<?, ?> fields) {
                if (!fields.containsKey(part.toString())) {
                    return way + " has no '" + part + "'";
                }
                at = fields.get(part.toString());
            } else {
                return way + " is " + JsonTree.kind(at);
            }
            way.append(part instanceof Integer ? "[" + part + "]" : "." + part);
        }
        return way + " is there";
    }

    @Override
    public String toString() {
        return text;
    }
}
