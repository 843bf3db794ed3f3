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

/** Data as JSON has it: maps, lists, texts, numbers, booleans and null. */
public final class Tree {
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

    private Tree() {}

    /** @throws dev.dormouse.error.DormouseException BAD_DAG for what is no JSON */
    public static @Nullable Object parse(String json) {
        try {
            return MAPPER.readValue(BadDag.required(json, "a JSON text"), Object.class);
        } catch (JacksonException notJson) {
            TokenStreamLocation place = notJson.getLocation();
            throw BadDag.of("Expected JSON, but "
                    + (place == null ? "" : "at line " + place.getLineNr() + ", column " + place.getColumnNr() + ": ")
                    + firstLine(notJson.getOriginalMessage()) + ". Correct it there.");
        } catch (NumberFormatException | ArithmeticException outOfRange) {
            throw BadDag.of("Expected numbers that can be kept, but one is out of all range. Use another one.");
        } catch (StackOverflowError tooDeep) {
            throw BadDag.of("Expected JSON that is not nested too deeply, but it is. Make it flatter.");
        }
    }

    /** Without what the parser says of its source, which is no file of the user's. */
    private static String firstLine(String message) {
        return message.lines()
                .findFirst()
                .map(line -> SOURCE.matcher(line).replaceAll(""))
                .orElse("it is not");
    }

    /** As JSON, on several lines. */
    public static String pretty(@Nullable Object tree) {
        return PRETTY.writeValueAsString(tree);
    }

    /** As JSON, on one line. */
    public static String json(@Nullable Object tree) {
        return MAPPER.writeValueAsString(tree);
    }

    /**
     * A value of any kind as a tree.
     *
     * @throws dev.dormouse.error.DormouseException BAD_DAG for one that JSON cannot hold
     */
    public static @Nullable Object of(@Nullable Object value) {
        try {
            Object tree = MAPPER.readValue(MAPPER.writeValueAsBytes(value), Object.class);
            checkWhole(tree, 0, "$");
            return tree;
        } catch (JacksonException | NumberFormatException | ArithmeticException | StackOverflowError notData) {
            throw BadDag.of("Expected maps, lists, texts, numbers, booleans and null, but got one of "
                    + (value == null ? "null" : value.getClass().getName())
                    + ", which cannot be written as JSON. Pass something else.");
        }
    }

    /** Fails with BAD_DAG for what would not come back from the store as it was: halves of characters, or too deep. */
    public static void check(@Nullable Object tree) {
        checkWhole(tree, 0, "$");
    }

    private static void checkWhole(@Nullable Object value, int depth, String path) {
        if (depth > DEEPEST) {
            throw BadDag.of("Expected data that is nested at most " + DEEPEST + " deep, but at " + cut(path)
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
            throw BadDag.of("Expected texts of whole characters, but the one at " + cut(path)
                    + " holds half of one (a lone surrogate). Correct it.");
        }
    }

    private static boolean isWhole(String text) {
        return text.codePoints()
                .noneMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
    }

    /** Whether two are the same; 1 and 1.0 are. */
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

    /** A number, exactly. */
    public static BigDecimal number(Object number) {
        return new BigDecimal(number.toString());
    }

    /** What kind of thing this is, for a sentence. */
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

    /** The beginning of a text, for a sentence. */
    public static String cut(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }

    /** About how many bytes it takes, counted up to a limit. */
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
