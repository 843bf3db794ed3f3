package dev.dormouse.dag.data;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON tree in which each text that begins with {@code $.} or {@code $[} is a path and is replaced with the value
 * there. To write such a text literally, put another {@code $} before it.
 *
 * @param tree as it was written
 * @param byText all paths in the tree
 */
public record Template(@Nullable Object tree, Map<String, Path> byText) {

    /**
     * Creates a template and parses its paths. The template of null is filled to null.
     *
     * @throws dev.dormouse.error.DormouseException BAD_DAG if a path is malformed, or JSON cannot represent
     *     {@code value}
     */
    public static Template of(@Nullable Object value) {
        Object tree = JsonTree.of(value);
        Map<String, Path> paths = new LinkedHashMap<>();
        collect(tree, paths);
        return new Template(tree, paths);
    }

    /** Returns all paths in the tree. */
    public Collection<Path> paths() {
        return byText.values();
    }

    private static void collect(@Nullable Object at, Map<String, Path> paths) {
        if (at instanceof Map<?, ?> fields) {
            fields.values().forEach(field -> collect(field, paths));
        } else if (at instanceof List<?> items) {
            items.forEach(item -> collect(item, paths));
        } else if (at instanceof String text && Path.isOne(text)) {
            paths.put(text, Path.of(text));
        }
    }

    /**
     * Returns the tree with all paths replaced with their values in {@code data}; null if the tree is null, or a path
     * whose value is null.
     *
     * @param data the JSON tree with the values; paths have no value in it if it is null
     * @throws dev.dormouse.error.DormouseException DAG_DATA if a path that is not optional has no value
     */
    public @Nullable Object fill(@Nullable Object data) {
        return fill(tree, data);
    }

    private @Nullable Object fill(@Nullable Object at, @Nullable Object data) {
        if (at instanceof Map<?, ?> fields) {
            Map<String, @Nullable Object> filled = new LinkedHashMap<>();
            fields.forEach((name, field) -> filled.put(name.toString(), fill(field, data)));
            return filled;
        } else if (at instanceof List<?> items) {
            List<@Nullable Object> filled = new ArrayList<>();
            items.forEach(item -> filled.add(fill(item, data)));
            return filled;
        } else if (at instanceof String text) {
            Path path = byText.get(text);
            return path != null ? path.in(data) : text.startsWith("$$") ? text.substring(1) : text;
        }
        return at;
    }
}
