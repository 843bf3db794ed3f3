package dev.dormouse.internal.event;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The condition that an event must meet for a waiting run: a value at each of several paths. A path and its value form
 * a key, which is a hash of both, so that the store does not see any payload data. An event has the keys of all its
 * values. It matches if it has all keys of the wait. A wait is indexed by one of its keys, so that delivery does not
 * scan all waits.
 *
 * @param keys the required keys; empty to match every event
 */
public record EventMatch(Set<String> keys) {
    private static final Pattern PATH = Pattern.compile("[^.\\[\\]]+(?:\\.[^.\\[\\]]+)*+");
    private static final Pattern INDEX = Pattern.compile("\\[(\\d{1,9})]");
    private static final String ANY = "*";
    private static final int MOST_VALUES = 1_000;
    private static final int LONGEST_PATH = 1_000;
    private static final int KEY_BYTES = 16;

    public static EventMatch of(Map<String, ?> conditions) {
        Set<String> keys = new HashSet<>();
        required(conditions, "conditions, or Map.of()")
                .forEach((path, value) -> keys.add(key(checkedPath(path), checkedText(path, value))));
        return new EventMatch(keys);
    }

    private static String checkedPath(String path) {
        String plain = required(path, "the path of a condition");
        plain = INDEX.matcher(plain.startsWith("$.") ? plain.substring(2) : plain)
                .replaceAll(".$1");
        if (plain.length() > LONGEST_PATH || !PATH.matcher(plain).matches()) {
            throw bad(
                    "conditions on an event to have paths such as order.items[0].id",
                    "'" + path.substring(0, Math.min(100, path.length())) + "'",
                    "Change the path.");
        }
        return plain;
    }

    private static String checkedText(String path, @Nullable Object value) {
        String text = text(value instanceof Enum<?> constant ? constant.name() : value);
        if (text == null) {
            throw bad(
                    "a text, a number, true, false or null as the value of a condition on an event",
                    "something else for " + path,
                    "Compare a single value.");
        }
        return text;
    }

    private static DormouseException bad(String what, String found, String toDo) {
        return new DormouseException(ErrorCode.BAD_ARGUMENT, "Expected " + what + ", but got " + found + ". " + toDo);
    }

    /** Returns a text that is equal for equal values; null if the value is not a single value. */
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

    /** Returns the key by which a wait is indexed. */
    static String filedUnder(Set<String> keys) {
        return keys.stream().min(Comparator.naturalOrder()).orElse(ANY);
    }

    /**
     * Returns the keys of all values in an event, and the key by which waits without conditions are indexed.
     *
     * @throws DormouseException BAD_ARGUMENT if the event has too many values
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
            if (keys.size() > MOST_VALUES + 1) {
                throw bad(
                        "an event with at most " + MOST_VALUES + " different values",
                        "one with more",
                        "Publish a reference to the rest.");
            }
        }
    }

    private static String below(String path, Object name) {
        String plain = name.toString().replace('.', '\0'); // no path can refer to a name with a dot
        return path.isEmpty() ? plain : path + "." + plain;
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
