package dev.dormouse.server.view;

import dev.dormouse.codec.Payload;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** A payload as it is shown: as JSON where it is, the beginning of it where it is large, otherwise only how large it is. */
public sealed interface Value {
    /** What is shown of a large one. */
    int MOST = 64 << 10;

    record Json(JsonNode json) implements Value {}

    record Cut(String text, boolean cut, int bytes) implements Value {}

    /**
     * What only its codec can read.
     *
     * @param encoding what the codec says of it; without the codec nobody can read it
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

    /** What somebody was answered. */
    static Value of(JsonNode answer) {
        return of(MAPPER.writeValueAsBytes(answer), false);
    }

    /** @param hides whether it is shown without tokens, because it is not an answer to who asks */
    private static Value of(byte[] json, boolean hides) {
        if (json.length > MOST) {
            return new Cut(hides ? TokenRedactor.redact(beginning(json)) : beginning(json), true, json.length);
        }
        try {
            return new Json(
                    hides
                            ? MAPPER.readTree(TokenRedactor.redact(new String(json, StandardCharsets.UTF_8)))
                            : MAPPER.readTree(json));
        } catch (JacksonException | NumberFormatException | ArithmeticException notJson) {
            return new Opaque(json.length, "json");
        }
    }

    /** Does not end within a character. */
    private static String beginning(byte[] text) {
        int end = MOST;
        while (end > 0 && (text[end] & 0xC0) == 0x80) {
            end--;
        }
        return new String(text, 0, end, StandardCharsets.UTF_8);
    }
}
