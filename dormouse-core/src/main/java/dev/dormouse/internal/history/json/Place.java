package dev.dormouse.internal.history.json;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A value in a history file with its path, so that every error message names the place.
 *
 * @param source the name of the file, for error messages
 * @param path such as {@code events[3].deadline}; empty for the whole file
 */
record Place(String source, String path, JsonNode node) {
    private static final int SHOWN = 100;

    boolean has(String field) {
        return node.isObject() && node.has(field);
    }

    /** Returns a required field. */
    Place field(String name) {
        if (!has(name)) {
            throw problem("a field '" + name + "'", node.isObject() ? "it is missing" : "found " + shown());
        }
        return new Place(source, path.isEmpty() ? name : path + "." + name, node.get(name));
    }

    Place item(int index) {
        return new Place(source, path + "[" + index + "]", node.get(index));
    }

    /** Throws unless this is an object that has no fields except {@code known}. */
    void checkFields(Set<String> known) {
        if (!node.isObject()) {
            throw problem("an object", "found " + shown());
        }
        for (String name : node.propertyNames()) {
            if (!known.contains(name)) {
                throw field(name).problem("one of the fields " + new TreeSet<>(known), "found this one");
            }
        }
    }

    void checkArray() {
        if (!node.isArray()) {
            throw problem("an array", "found " + shown());
        }
    }

    String text() {
        if (!node.isString()) {
            throw problem("a text", "found " + shown());
        }
        return node.stringValue();
    }

    boolean flag() {
        if (!node.isBoolean()) {
            throw problem("true or false", "found " + shown());
        }
        return node.booleanValue();
    }

    /** Returns a whole number from {@code -max - 1} to {@code max}, the range of an int or long. */
    long number(long max) {
        long value = node.isIntegralNumber() && node.canConvertToLong() ? node.longValue() : Long.MIN_VALUE;
        if (!node.isIntegralNumber() || !node.canConvertToLong() || value > max || value < -max - 1) {
            throw problem("a whole number of at most " + max, "found " + shown());
        }
        return value;
    }

    <T> T parse(String what, Function<String, T> parser) {
        String text = text();
        try {
            return parser.apply(text);
        } catch (RuntimeException notOne) {
            throw problem(what, "found " + shown(), notOne);
        }
    }

    DormouseException problem(String expected, String found) {
        return problem(expected, found, null);
    }

    DormouseException problem(String expected, String found, @Nullable Throwable cause) {
        return new DormouseException(
                ErrorCode.BAD_HISTORY_FILE,
                "Expected " + expected + " at " + (path.isEmpty() ? "the top" : path) + " of " + source + ", but "
                        + found + ". Correct it, or export the history again.",
                cause);
    }

    private String shown() {
        String text = node.toString();
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }
}
