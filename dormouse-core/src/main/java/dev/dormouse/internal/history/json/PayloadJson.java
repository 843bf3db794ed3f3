package dev.dormouse.internal.history.json;

import dev.dormouse.codec.Payload;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON form of payloads: null for {@link Payload#NOTHING}; {@code {"json": …}} if that gives back exactly the same
 * bytes; otherwise the encoding and the bytes in Base64.
 */
final class PayloadJson {
    private static final String JSON = "json";
    private static final String ENCODING = "encoding";
    private static final String BASE64 = "base64";

    private PayloadJson() {}

    static JsonNode write(Payload payload) {
        if (payload.equals(Payload.NOTHING)) {
            return JsonNodeFactory.instance.nullNode();
        }
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        JsonNode json = payload.encoding().equals(JSON) ? parse(payload.bytes()) : null;
        return json != null
                ? node.set(JSON, json)
                : node.put(ENCODING, payload.encoding()).put(BASE64, base64(payload.bytes()));
    }

    /** Returns the parsed JSON; null if writing it would not give back the same bytes. */
    private static @Nullable JsonNode parse(byte[] bytes) {
        try {
            JsonNode json = Json.PLAIN.readTree(bytes);
            return Arrays.equals(Json.PLAIN.writeValueAsBytes(json), bytes) ? json : null;
        } catch (JacksonException notJson) {
            return null;
        }
    }

    static Payload read(Place place) {
        if (place.node().isNull()) {
            return Payload.NOTHING;
        }
        if (place.has(JSON)) {
            place.checkFields(Set.of(JSON));
            return new Payload(
                    JSON, Json.PLAIN.writeValueAsBytes(place.field(JSON).node()));
        }
        place.checkFields(Set.of(ENCODING, BASE64));
        return new Payload(place.field(ENCODING).text(), bytes(place.field(BASE64)));
    }

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    static byte[] bytes(Place place) {
        return place.parse("bytes in Base64", Base64.getDecoder()::decode);
    }
}
