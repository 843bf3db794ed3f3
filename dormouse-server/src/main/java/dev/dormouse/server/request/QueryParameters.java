package dev.dormouse.server.request;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The query parameters of a request. */
public final class QueryParameters {
    private final Map<String, List<String>> values;

    /**
     * Creates the parameters.
     *
     * @param known the parameters that the route accepts
     * @throws ApiProblem 400 for another parameter, which would otherwise be ignored silently
     */
    public QueryParameters(Map<String, List<String>> values, List<String> known) {
        this.values = values;
        for (String name : values.keySet()) {
            if (!known.contains(name)) {
                throw ApiProblem.bad(
                        "?" + name,
                        "Expected parameters among " + known + ", but got " + TextValues.shown(name)
                                + ". Leave it out.");
            }
        }
    }

    public Optional<String> text(String name) {
        List<String> found = values.getOrDefault(name, List.of());
        if (found.size() > 1) {
            throw ApiProblem.bad(
                    "?" + name, "Expected " + name + " once, but got it " + found.size() + " times. Leave one.");
        }
        return found.stream()
                .filter(text -> !text.isEmpty())
                .map(text -> TextValues.whole("?" + name, text))
                .findFirst();
    }

    public String required(String name) {
        return text(name)
                .orElseThrow(() ->
                        ApiProblem.bad("?" + name, "Expected a parameter " + name + ", but there is none. Add it."));
    }

    public int number(String name, int min, int max, int otherwise) {
        return text(name).map(text -> number(name, text, min, max)).orElse(otherwise);
    }

    private static int number(String name, String text, int min, int max) {
        try {
            int number = Integer.parseInt(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // falls through
        }
        throw ApiProblem.bad(
                "?" + name,
                "Expected a number from " + min + " to " + max + ", but got " + TextValues.shown(text) + ".");
    }

    public int limit() {
        return number("limit", 1, 1_000, 50);
    }

    public Optional<Duration> duration(String name) {
        return text(name).map(text -> TextValues.duration("?" + name, text));
    }

    public Optional<UUID> id(String name) {
        return text(name).map(text -> {
            try {
                return UUID.fromString(text);
            } catch (IllegalArgumentException malformed) {
                throw ApiProblem.bad(
                        "?" + name, "Expected the id of a run, a UUID, but got " + TextValues.shown(text) + ".");
            }
        });
    }

    /** Returns the values of a comma-separated list. */
    public <E extends Enum<E>> Set<E> set(String name, Class<E> type) {
        Set<E> set = EnumSet.noneOf(type);
        text(name)
                .ifPresent(text -> Arrays.stream(text.split(",", -1))
                        .forEach(one -> set.add(TextValues.oneOf("?" + name, type, one.strip()))));
        return set;
    }

    /** Returns the decoded page cursor. */
    public Optional<String> page() {
        return text("page").map(PageCursors::decode);
    }
}
