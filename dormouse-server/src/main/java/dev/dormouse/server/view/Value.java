package dev.dormouse.server.view;

import dev.dormouse.codec.Payload;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** A payload as it is shown: as JSON if it is JSON, cut if it is large, otherwise only its size. */
public sealed interface Value {
    /** The number of bytes that are shown of a large payload. */
    int MAX = 64 << 10;

    record Json(JsonNode json) implements Value {}

    record Cut(String text, boolean cut, int bytes) implements Value {}

    /**
     * A payload that only its codec can read.
     *
     * @param encoding the codec's name for the encoding
     */
    record Opaque(int bytes, String encoding) implements Value {}

    JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    static Value of(Payload payload) {
        if (payload.encoding().isEmpty()) {
            return new Json(JsonNodeFactory.instance.nullNode());
        } else if (!payload.encoding().equals("json")) {
            return new Opaque(payload.bytes().length, payload.encoding());
        }
        return of(payload.bytes(), true);
    }

    /** Returns the value of an answer, which the caller may see with its tokens. */
    static Value of(JsonNode answer) {
        return of(MAPPER.writeValueAsBytes(answer), false);
    }

    /**
     * Returns the value of some JSON.
     *
     * @param redacts true to remove tokens, because this is not an answer to the caller
     */
    private static Value of(byte[] json, boolean redacts) {
        if (json.length > MAX) {
            return new Cut(redacts ? TokenRedactor.redact(beginning(json)) : beginning(json), true, json.length);
        }
        try {
            return new Json(
                    redacts
                            ? MAPPER.readTree(TokenRedactor.redact(new String(json, StandardCharsets.UTF_8)))
                            : MAPPER.readTree(json));
        } catch (JacksonException | NumberFormatException | ArithmeticException notJson) {
            return new Opaque(json.length, "json");
        }
    }

    /** Returns the first bytes as text, without half a character at the end. */
    private static String beginning(byte[] text) {
        int end = MAX;
        while (end > 0 && (text[end] & 0xC0) == 0x80) {
            end--;
        }
        return new String(text, 0, end, StandardCharsets.UTF_8);
    }
}
