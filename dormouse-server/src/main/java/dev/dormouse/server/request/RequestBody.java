package dev.dormouse.server.request;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.JsonNodeType;
import tools.jackson.databind.node.ObjectNode;

/** The JSON object in a request's body. A mistake in it is refused with its path. */
public final class RequestBody {
    private final ObjectNode fields;
    private final String path;

    private RequestBody(ObjectNode fields, String path) {
        this.fields = fields;
        this.path = path;
    }

    /**
     * Parses a body. An empty one is an object without fields.
     *
     * @param known the fields that it may have
     * @throws ApiProblem 400 if it is not a JSON object or has other fields
     */
    public static RequestBody of(byte[] bytes, String... known) {
        JsonNode tree = bytes.length == 0 ? JsonNodeFactory.instance.objectNode() : ApiJson.parse(bytes);
        if (!(tree instanceof ObjectNode fields)) {
            throw ApiProblem.bad("$", "Expected a JSON object, but got " + kind(tree) + ".");
        }
        RequestBody body = new RequestBody(fields, "$");
        List<String> names = List.of(known);
        for (String name : fields.propertyNames()) {
            if (!names.contains(name)) {
                throw ApiProblem.bad(
                        body.path(name),
                        "Expected fields among " + names + ", but got " + TextValues.shown(name) + ". Leave it out.");
            }
        }
        return body;
    }

    private static String kind(JsonNode node) {
        JsonNodeType type = node.getNodeType();
        return switch (type) {
            case STRING -> "a text";
            case NUMBER -> "a number";
            case BOOLEAN -> "a boolean";
            case ARRAY -> "an array";
            case OBJECT -> "an object";
            case NULL -> "null";
            default -> "nothing";
        };
    }

    public String path(String name) {
        return path + "." + (name.length() <= 80 ? name : name.substring(0, 80) + "…");
    }

    public boolean has(String name) {
        return fields.hasNonNull(name);
    }

    /** Returns the value of a field; JSON null if it is missing. */
    public JsonNode any(String name) {
        JsonNode found = fields.get(name);
        return found == null ? JsonNodeFactory.instance.nullNode() : found;
    }

    private ApiProblem expected(String name, String what) {
        return ApiProblem.bad(
                path(name), "Expected " + what + ", but got " + (fields.has(name) ? kind(any(name)) : "nothing") + ".");
    }

    public Optional<String> optionalText(String name) {
        if (!has(name)) {
            return Optional.empty();
        } else if (!any(name).isString()) {
            throw expected(name, "a text");
        }
        return Optional.of(TextValues.whole(path(name), any(name).stringValue()));
    }

    public String text(String name) {
        return optionalText(name).orElseThrow(() -> expected(name, "a text"));
    }

    public Optional<Instant> instant(String name) {
        return optionalText(name).map(text -> TextValues.instant(path(name), text));
    }

    public Optional<Duration> duration(String name) {
        return optionalText(name).map(text -> TextValues.duration(path(name), text));
    }

    public <E extends Enum<E>> Optional<E> oneOf(String name, Class<E> type) {
        return optionalText(name).map(text -> TextValues.oneOf(path(name), type, text));
    }

    public int number(String name) {
        if (!any(name).canConvertToInt()) {
            throw expected(name, "a whole number");
        }
        return any(name).intValue();
    }

    /**
     * Returns the instant in field {@code at}, or {@code now} plus the duration in field {@code in}. Exactly one must
     * be present.
     */
    public Instant when(Instant now) {
        Optional<Instant> at = instant("at");
        Optional<Duration> in = duration("in");
        if (at.isPresent() == in.isPresent()) {
            throw ApiProblem.bad(
                    path(at.isPresent() ? "in" : "at"),
                    "Expected either 'at', an instant, or 'in', a duration, but got "
                            + (at.isPresent() ? "both" : "neither") + ".");
        }
        return at.orElseGet(() -> TextValues.after(path("in"), now, in.orElseThrow()));
    }

    /** Returns the elements of an array, as values to be encoded; none if the field is missing. */
    public Object[] array(String name) {
        JsonNode found = fields.get(name);
        if (found == null || found.isNull()) {
            return new Object[0];
        } else if (!found.isArray()) {
            throw expected(name, "an array");
        }
        return found.valueStream().toArray();
    }

    /** Returns the elements of an array; a value that is not an array counts as an array of one. */
    public Object[] values(String name) {
        JsonNode found = fields.get(name);
        return found == null || found.isNull() || found.isArray() ? array(name) : new Object[] {found};
    }

    public List<String> texts(String name, int max) {
        List<String> texts = new ArrayList<>();
        for (Object element : array(name)) {
            String place = path(name) + "[" + texts.size() + "]";
            if (texts.size() == max) {
                throw ApiProblem.bad(path(name), "Expected at most " + max + " elements, but there are more.");
            } else if (!((JsonNode) element).isString()) {
                throw ApiProblem.bad(place, "Expected a text, but got " + kind((JsonNode) element) + ".");
            }
            texts.add(TextValues.whole(place, ((JsonNode) element).stringValue()));
        }
        return texts;
    }

    /** Returns an object whose values are texts. */
    public Map<String, String> notes(String name) {
        Map<String, String> notes = new LinkedHashMap<>();
        if (!has(name)) {
            return notes;
        } else if (!any(name).isObject()) {
            throw expected(name, "an object");
        }
        RequestBody inner = new RequestBody((ObjectNode) any(name), path(name));
        inner.fields.propertyNames().forEach(key -> notes.put(TextValues.whole(path(name), key), inner.text(key)));
        return notes;
    }
}
