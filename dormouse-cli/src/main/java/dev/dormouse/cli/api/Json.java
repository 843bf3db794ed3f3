package dev.dormouse.cli.api;

import dev.dormouse.cli.process.CommandFailed;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON as it is sent and received: numbers keep all their digits. */
public final class Json {
    static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private Json() {}

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    public static ArrayNode array() {
        return MAPPER.createArrayNode();
    }

    /** What somebody has typed, or put into a file. */
    public static JsonNode parse(String text, String what) {
        try {
            JsonNode node = MAPPER.readTree(text);
            if (node.isMissingNode()) {
                throw CommandFailed.usage("Expected JSON as " + what + ", but got nothing.");
            }
            return node;
        } catch (JacksonException e) {
            throw CommandFailed.usage("Expected JSON as " + what + ", but " + found(text) + " is none ("
                    + plain(e.getOriginalMessage()) + place(e) + "). " + advice(text));
        }
    }

    /** Without where the parser thinks that its input came from. */
    private static String plain(String message) {
        return message.replaceAll(" \\(start marker at \\[Source.*?]\\)", "").replaceAll("\\s+", " ");
    }

    private static String found(String text) {
        return text.length() <= 60 ? "'" + text + "'" : "what begins with '" + text.substring(0, 60) + "'";
    }

    private static String place(JacksonException e) {
        return e.getLocation() == null
                ? ""
                : "; line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr();
    }

    private static String advice(String text) {
        boolean isWord =
                text.codePoints().allMatch(point -> Character.isLetterOrDigit(point) || "-_. ".indexOf(point) >= 0);
        return isWord && text.length() <= 60
                ? "A text is written in quotes, which most shells need quoted once more: '\"" + text + "\"'."
                : "Check its quotes and brackets.";
    }

    /** The items of a list. */
    public static Stream<JsonNode> items(JsonNode list) {
        return stream(list.path("items"));
    }

    public static Stream<JsonNode> stream(JsonNode array) {
        return array.isArray() ? array.values().stream() : Stream.empty();
    }

    /** A text, number or boolean; empty if it is missing or null. */
    public static String text(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isMissingNode() || value.isNull()
                ? ""
                : value.isValueNode() ? value.asString("") : value.toString();
    }

    public static Optional<Instant> instant(JsonNode node, String field) {
        return instant(text(node, field));
    }

    public static Optional<Instant> instant(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** A payload as a person reads it: {@code {"json": …}}, or how large it is. */
    public static String value(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        if (value.has("json")) {
            return value.path("json").toString();
        }
        if (value.has("text")) {
            return value.path("text").asString("") + "… (" + text(value, "bytes") + " bytes)";
        }
        return "(" + text(value, "bytes") + " bytes, " + text(value, "encoding") + ")";
    }
}
