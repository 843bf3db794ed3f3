package dev.dormouse.server.request;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

/** Page cursors as texts that need no encoding in a URL. */
public final class PageCursors {
    private static final int ID_LENGTH = new UUID(0, 0).toString().length();

    private PageCursors() {}

    public static String encode(String place) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(place.getBytes(StandardCharsets.UTF_8));
    }

    public static String decode(String cursor) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(cursor);
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return TextValues.whole("?page", text);
        } catch (IllegalArgumentException | CharacterCodingException notOurs) {
            throw ApiProblem.bad(
                    "?page",
                    "Expected the cursor of a previous page, but got " + TextValues.shown(cursor)
                            + ". Pass it on unchanged, or start with the first page.");
        }
    }

    /** Returns the start time of the run at which a page of the newest runs ended. Run ids contain their time. */
    public static Optional<Instant> time(String place) {
        int begin = place.indexOf(':') + 1;
        if (place.length() < begin + ID_LENGTH) {
            return Optional.empty();
        }
        try {
            UUID id = UUID.fromString(place.substring(begin, begin + ID_LENGTH));
            return id.version() == 7
                    ? Optional.of(Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16))
                    : Optional.empty();
        } catch (IllegalArgumentException noRun) {
            return Optional.empty();
        }
    }
}
