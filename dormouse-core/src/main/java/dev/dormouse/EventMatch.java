package dev.dormouse;

import static dev.dormouse.Arguments.required;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What an event must be like for a run that waits: at each of these paths, this value. So that nobody has to look at all
 * who wait, a wait is filed under its first condition, and an event looks under each value that it holds.
 *
 * @param values written so that values are equal when their texts are, by path
 */
record EventMatch(TreeMap<String, String> values) {
    private static final String ANY = "*";
    private static final int MOST_VALUES = 1_000;
    private static final int KEY_BYTES = 16;

    static EventMatch of(Map<String, ?> conditions) {
        TreeMap<String, String> values = new TreeMap<>();
        required(conditions, "conditions, or Map.of()")
                .forEach((path, value) -> values.put(checkedPath(path), checkedText(path, value)));
        return new EventMatch(values);
    }

    private static String checkedPath(String path) {
        String plain = required(path, "the path of a condition");
        plain = plain.startsWith("$.") ? plain.substring(2) : plain;
        if (plain.isBlank()) {
            throw bad("a path such as order.id", "'" + path + "'");
        }
        return plain;
    }

    private static String checkedText(String path, @Nullable Object value) {
        String text = text(value instanceof Enum<?> constant ? constant.name() : value);
        if (text == null) {
            throw bad("a text, a number, true, false or null", "something else at " + path);
        }
        return text;
    }

    private static DormouseException bad(String what, String found) {
        return new DormouseException(
                ErrorCode.BAD_ARGUMENT,
                "Expected conditions on an event to have " + what + ", but got " + found + ". Change the condition.");
    }

    /** Equal for equal values; null for what is no single value. */
    private static @Nullable String text(@Nullable Object value) {
        if (value == null) {
            return "null";
        } else if (value instanceof String || value instanceof Character) {
            return "'" + value;
        } else if (value instanceof Boolean) {
            return value.toString();
        } else if (value instanceof Number) {
            return number(value.toString());
        }
        return null;
    }

    private static String number(String digits) {
        try {
            BigDecimal number = new BigDecimal(digits);
            return number.signum() == 0 ? "0" : number.stripTrailingZeros().toString();
        } catch (NumberFormatException notFinite) {
            return digits;
        }
    }

    /** Under what a wait for such events is filed. */
    String key() {
        Map.Entry<String, String> first = values.firstEntry();
        return first == null ? ANY : key(first.getKey(), first.getValue());
    }

    /** Whether an event is meant. */
    boolean test(@Nullable Object event) {
        return values.entrySet().stream().allMatch(one -> one.getValue().equals(textAt(event, one.getKey())));
    }

    private static @Nullable String textAt(@Nullable Object event, String path) {
        Object value = event;
        for (String name : path.split("\\.", -1)) {
            if (value instanceof Map<?, ?> fields && fields.containsKey(name)) {
                value = fields.get(name);
            } else if (value instanceof List<?> items && isIndex(name, items.size())) {
                value = items.get(Integer.parseInt(name));
            } else {
                return null;
            }
        }
        return text(value);
    }

    private static boolean isIndex(String name, int size) {
        return name.matches("0|[1-9]\\d{0,8}") && Integer.parseInt(name) < size;
    }

    /**
     * Under what waits that may mean this event are filed.
     *
     * @throws DormouseException BAD_ARGUMENT where it holds too many values
     */
    static Set<String> keys(@Nullable Object event) {
        Set<String> keys = new HashSet<>(Set.of(ANY));
        addKeys("", event, keys);
        return keys;
    }

    private static void addKeys(String path, @Nullable Object value, Set<String> keys) {
        if (value instanceof Map<?, ?> fields) {
            fields.forEach((name, field) -> addKeys(below(path, name), field, keys));
        } else if (value instanceof List<?> items) {
            for (int i = 0; i < items.size(); i++) {
                addKeys(below(path, i), items.get(i), keys);
            }
        } else {
            keys.add(key(path, String.valueOf(text(value))));
            if (keys.size() > MOST_VALUES) {
                throw bad("at most " + MOST_VALUES + " values to look at", "an event with more");
            }
        }
    }

    private static String below(String path, Object name) {
        return path.isEmpty() ? name.toString() : path + "." + name;
    }

    private static String key(String path, String value) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest((path + "=" + value).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, KEY_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
