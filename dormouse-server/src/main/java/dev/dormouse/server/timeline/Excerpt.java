package dev.dormouse.server.timeline;

import dev.dormouse.codec.Payload;
import dev.dormouse.server.view.TokenRedactor;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Short texts for the timeline. */
final class Excerpt {
    private static final int LONGEST = 80;

    private Excerpt() {}

    /**
     * Returns the beginning of a JSON payload without tokens; null for an empty payload and for one that only its codec
     * can read.
     */
    static @Nullable String of(Payload payload) {
        boolean isText = payload.encoding().equals("json");
        int length = Math.min(payload.bytes().length, 4 * LONGEST);
        return isText ? of(TokenRedactor.redact(new String(payload.bytes(), 0, length, StandardCharsets.UTF_8))) : null;
    }

    static String of(String text) {
        if (text.length() <= LONGEST) {
            return text;
        }
        boolean splits = Character.isSurrogatePair(text.charAt(LONGEST - 1), text.charAt(LONGEST));
        return text.substring(0, splits ? LONGEST - 1 : LONGEST) + "…";
    }
}
