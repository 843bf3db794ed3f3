package dev.dormouse.dag.data;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Functions for JSON trees: maps, lists, texts, numbers, booleans and null. Thread-safe. */
public final class JsonTree {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
            .build();
    private static final JsonMapper PRETTY =
            MAPPER.rebuild().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final Pattern SOURCE = Pattern.compile(" *\\(?[a-z ]*at \\[Source[^]]*]\\)?");
    private static final int SHOWN = 60;
    private static final int DEEPEST = 100;

    private JsonTree() {}

    /**
     * Parses a JSON text.
     *
     * @return the tree; null for the JSON value null
     * @throws dev.dormouse.error.DormouseException BAD_DAG if {@code json} is not JSON
     */
    public static @Nullable Object parse(String json) {
        try {
            return MAPPER.readValue(DagErrors.required(json, "a JSON text"), Object.class);
        } catch (JacksonException notJson) {
            TokenStreamLocation place = notJson.getLocation();
            throw DagErrors.of("Expected JSON, but "
                    + (place == null ? "" : "at line " + place.getLineNr() + ", column " + place.getColumnNr() + ": ")
                    + firstLine(notJson.getOriginalMessage()) + ". Correct it there.");
        } catch (NumberFormatException | ArithmeticException outOfRange) {
            throw DagErrors.of("Expected numbers that can be stored, but one is out of range. Use another one.");
        } catch (StackOverflowError tooDeep) {
            throw DagErrors.of("Expected JSON that is not nested too deeply, but it is. Make it flatter.");
        }
    }

    /** Removes the parser's description of its source, which means nothing to the user. */
    private static String firstLine(String message) {
        return message.lines()
                .findFirst()
                .map(line -> SOURCE.matcher(line).replaceAll(""))
                .orElse("it is not");
    }

    /** Returns the tree as indented JSON on several lines. Null becomes the JSON value null. */
    public static String pretty(@Nullable Object tree) {
        return PRETTY.writeValueAsString(tree);
    }

    /** Returns the tree as JSON on one line. Null becomes the JSON value null. */
    public static String json(@Nullable Object tree) {
        return MAPPER.writeValueAsString(tree);
    }

    /**
     * Converts a value of any type to a tree, as if it were written as JSON and parsed again.
     *
     * @return the tree; null if {@code value} is null
     * @throws dev.dormouse.error.DormouseException BAD_DAG if JSON cannot represent {@code value}
     */
    public static @Nullable Object of(@Nullable Object value) {
        try {
            Object tree = MAPPER.readValue(MAPPER.writeValueAsBytes(value), Object.class);
            checkWhole(tree, 0, "$");
            return tree;
        } catch (JacksonException | NumberFormatException | ArithmeticException | StackOverflowError notData) {
            throw DagErrors.of("Expected maps, lists, texts, numbers, booleans and null, but got one of "
                    + (value == null ? "null" : value.getClass().getName())
                    + ", which cannot be written as JSON. Pass something else.");
        }
    }

    /**
     * Checks that the tree would come back unchanged from the store.
     *
     * @param tree the tree; may be null
     * @throws dev.dormouse.error.DormouseException BAD_DAG if the tree contains lone surrogates or is nested too deeply
     */
    public static void check(@Nullable Object tree) {
        checkWhole(tree, 0, "$");
    }

    private static void checkWhole(@Nullable Object value, int depth, String path) {
        if (depth > DEEPEST) {
            throw DagErrors.of("Expected data that is nested at most " + DEEPEST + " deep, but at " + cut(path)
                    + " it is deeper. Flatten it.");
        } else if (value instanceof Map<?, ?> fields) {
            fields.forEach((name, field) -> {
                checkWhole(name, depth, path);
                checkWhole(field, depth + 1, path + "." + name);
            });
        } else if (value instanceof List<?> items) {
            for (int i = 0; i < items.size(); i++) {
                checkWhole(items.get(i), depth + 1, path + "[" + i + "]");
            }
        } else if (value instanceof String text && !isWhole(text)) {
            throw DagErrors.of("Expected texts of whole characters, but the one at " + cut(path)
                    + " holds half of one (a lone surrogate). Correct it.");
        }
    }

    private static boolean isWhole(String text) {
        return text.codePoints()
                .noneMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
    }

    /** Returns true if two trees are equal. The numbers 1 and 1.0 are equal, and null equals only null. */
    public static boolean same(@Nullable Object one, @Nullable Object other) {
        if (one instanceof Number && other instanceof Number) {
            return number(one).compareTo(number(other)) == 0;
        } else if (one instanceof List<?> a && other instanceof List<?> b) {
            return sameItems(a, b);
        } else if (one instanceof Map<?, ?> a && other instanceof Map<?, ?> b) {
            return a.keySet().equals(b.keySet()) && a.keySet().stream().allMatch(key -> same(a.get(key), b.get(key)));
        }
        return Objects.equals(one, other);
    }

    private static boolean sameItems(List<?> a, List<?> b) {
        if (a.size() != b.size()) {
            return false;
        }
        for (int i = 0; i < a.size(); i++) {
            if (!same(a.get(i), b.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Returns the exact value of a number. */
    public static BigDecimal number(Object number) {
        return new BigDecimal(number.toString());
    }

    /** Returns a description of a value for error messages, such as {@code an array}, or {@code null} for null. */
    public static String kind(@Nullable Object value) {
        if (value == null) {
            return "null";
        } else if (value instanceof Map) {
            return "an object";
        } else if (value instanceof List) {
            return "an array";
        } else if (value instanceof String text) {
            return "the text '" + cut(text) + "'";
        }
        return value instanceof Number ? "the number " + value : value.toString();
    }

    /** Returns the beginning of a text for error messages. */
    public static String cut(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }

    /**
     * Returns the approximate size in bytes, counted up to about {@code limit}.
     *
     * @param value the tree; numbers, booleans and null count as 8 bytes
     */
    public static int size(@Nullable Object value, int limit) {
        if (value instanceof Map<?, ?> fields) {
            int size = 2;
            for (Map.Entry<?, ?> field : fields.entrySet()) {
                size += size >= limit ? 0 : size(field.getKey(), limit) + size(field.getValue(), limit - size);
            }
            return size;
        } else if (value instanceof List<?> items) {
            int size = 2;
            for (Object item : items) {
                size += size >= limit ? 0 : 1 + size(item, limit - size);
            }
            return size;
        }
        return value instanceof String text ? text.length() + 2 : 8;
    }
}
