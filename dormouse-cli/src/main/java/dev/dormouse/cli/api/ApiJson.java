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

/** The JSON of the API: a reader and a writer. Numbers keep all their digits. */
public final class ApiJson {
    static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private ApiJson() {}

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    public static ArrayNode array() {
        return MAPPER.createArrayNode();
    }

    /** Sets a field unless {@code value} is null. Returns {@code body}. */
    public static ObjectNode put(ObjectNode body, String field, @Nullable String value) {
        return value == null ? body : body.put(field, value);
    }

    /**
     * Parses JSON that the user typed or keeps in a file.
     *
     * @param what the value's name in the error message
     * @throws CommandFailed with {@link dev.dormouse.cli.process.ExitCode#USAGE} if it is not JSON
     */
    public static JsonNode parse(String text, String what) {
        try {
            JsonNode node = MAPPER.readTree(text);
            if (node.isMissingNode()) {
                throw CommandFailed.usage("Expected JSON as " + what + ", but got nothing.");
            }
            return node;
        } catch (JacksonException e) {
            throw CommandFailed.usage("Expected JSON as " + what + ", but " + found(text) + " is not JSON ("
                    + plain(e.getOriginalMessage()) + place(e) + "). " + advice(text));
        }
    }

    /** Returns the parser's message without its internal source description. */
    private static String plain(String message) {
        return message.replaceAll(" \\(start marker at \\[Source.*?]\\)", "").replaceAll("\\s+", " ");
    }

    private static String found(String text) {
        return text.length() <= 60 ? "'" + text + "'" : "the text that begins with '" + text.substring(0, 60) + "'";
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
                ? "Put a text in quotes, and quote these for the shell: '\"" + text + "\"'."
                : "Check its quotes and brackets.";
    }

    /** Returns the items of a page of a list. */
    public static Stream<JsonNode> items(JsonNode list) {
        return stream(list.path("items"));
    }

    public static Stream<JsonNode> stream(JsonNode array) {
        return array.isArray() ? array.values().stream() : Stream.empty();
    }

    /** Returns a field as text, or an empty text if it is missing or null. */
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

    /** Returns a payload for display: its JSON, its text, or its size and encoding. */
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
