package dev.dormouse.dag;

import dev.dormouse.dag.data.DagErrors;
import dev.dormouse.dag.data.JsonTree;
import dev.dormouse.error.DormouseException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A reader for the fields of one JSON object of a definition. Errors name the path of the field; unknown fields are
 * errors too.
 */
final class JsonFields {
    private static final Pattern PLACE = Pattern.compile("\\b[Aa]t \\$");

    private static final BigDecimal MOST = BigDecimal.valueOf(1_000_000_000);

    private final Map<?, ?> fields;
    private final String path;
    private final Set<String> known = new HashSet<>();

    private JsonFields(Map<?, ?> fields, String path) {
        this.fields = fields;
        this.path = path;
    }

    static JsonFields of(@Nullable Object value, String path) {
        if (value instanceof Map<?, ?> fields) {
            return new JsonFields(fields, path);
        }
        throw bad(path, "an object", value);
    }

    static DormouseException bad(String path, String expected, @Nullable Object found) {
        return DagErrors.of(
                "Expected " + expected + " at " + path + ", but got " + JsonTree.kind(found) + ". Correct it.");
    }

    String path() {
        return path;
    }

    String path(String name) {
        return path + "." + name;
    }

    boolean has(String name) {
        known.add(name);
        return fields.containsKey(name);
    }

    @Nullable
    Object get(String name) {
        known.add(name);
        return fields.get(name);
    }

    /** Throws if there is a field that no other method was called with. */
    void checkAllKnown() {
        for (Object name : fields.keySet()) {
            if (!known.contains(name.toString())) {
                throw DagErrors.of("Expected fields that are known, one of "
                        + known.stream().sorted().toList() + " at "
                        + path + ", but got '" + JsonTree.cut(name.toString()) + "' at "
                        + path(JsonTree.cut(name.toString()))
                        + ". Remove it or correct its name.");
            }
        }
    }

    String text(String name) {
        if (get(name) instanceof String text) {
            return text;
        }
        throw bad(path(name), "a text", get(name));
    }

    int number(String name) {
        Object value = get(name);
        if (value instanceof Integer number) {
            return number;
        } else if (value instanceof BigDecimal number
                && number.stripTrailingZeros().scale() <= 0
                && number.abs().compareTo(MOST) < 0) {
            return number.intValue();
        }
        throw bad(path(name), "a whole number", value);
    }

    double decimal(String name) {
        if (get(name) instanceof Number number) {
            return number.doubleValue();
        }
        throw bad(path(name), "a number", get(name));
    }

    boolean flag(String name) {
        if (get(name) instanceof Boolean flag) {
            return flag;
        }
        throw bad(path(name), "true or false", get(name));
    }

    Duration duration(String name) {
        try {
            String text = text(name);
            if (text.indexOf('P') < 0) {
                throw bad(path(name), "a duration such as PT30S or P3D", text);
            }
            return Duration.parse(text);
        } catch (DateTimeException notOne) {
            throw bad(path(name), "a duration such as PT30S or P3D", get(name));
        }
    }

    List<?> list(String name) {
        if (get(name) instanceof List<?> list) {
            return list;
        }
        throw bad(path(name), "an array", get(name));
    }

    JsonFields object(String name) {
        return of(get(name), path(name));
    }

    @SuppressWarnings("unchecked") // names in JSON are texts
    Map<String, ?> map(String name) {
        if (get(name) instanceof Map<?, ?> map) {
            return (Map<String, ?>) map;
        }
        throw bad(path(name), "an object", get(name));
    }

    /**
     * Reads a field and passes it to {@code use}, if the field is present. Errors of {@code use} are reported with the
     * field's path.
     */
    <T> void ifPresent(String name, Function<String, T> read, Consumer<T> use) {
        if (has(name)) {
            T value = read.apply(name);
            at(name, () -> use.accept(value));
        }
    }

    /** Runs {@code use}. Adds the field's path to its errors, unless they name a path already. */
    void at(String name, Runnable use) {
        try {
            use.run();
        } catch (DormouseException wrong) {
            String message = wrong.getMessage();
            throw PLACE.matcher(message).find() ? wrong : DagErrors.of("At " + path(name) + ": " + message);
        }
    }
}
