package dev.dormouse.dag.run;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A token that entitles its owner to decide an approval once. As a text it can be mailed or put into a URL. */
public record ApprovalToken(String workflowId, String step, String secret) {
    /** The prefix of the names of the steps that create secrets. */
    public static final String STEP = "token of ";

    private static final String PREFIX = "dma1-";

    /** Matches a token inside a longer text. */
    public static final Pattern LOOK = Pattern.compile(PREFIX + "[A-Za-z0-9_-]{8,}");

    private static final char BETWEEN = '\0';
    private static final int CHECKSUM = 4;

    public String text() {
        byte[] parts = (secret + BETWEEN + step + BETWEEN + workflowId).getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes =
                ByteBuffer.allocate(parts.length + CHECKSUM).put(parts).putInt(checksum(parts));
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /**
     * Parses a token.
     *
     * @throws DormouseException BAD_TOKEN if {@code text} is not a token
     */
    public static ApprovalToken of(@Nullable String text) {
        if (text == null || !text.strip().startsWith(PREFIX)) {
            throw bad();
        }
        byte[] bytes = bytes(text.strip().substring(PREFIX.length()));
        if (bytes.length <= CHECKSUM) {
            throw bad();
        }
        byte[] parts = Arrays.copyOf(bytes, bytes.length - CHECKSUM);
        String[] words = new String(parts, StandardCharsets.UTF_8).split("" + BETWEEN, -1);
        if (ByteBuffer.wrap(bytes).getInt(parts.length) != checksum(parts) || words.length != 3) {
            throw bad();
        }
        ApprovalToken token = new ApprovalToken(words[2], words[1], words[0]);
        if (!token.text().equals(text.strip())) {
            throw bad(); // other texts can decode to the same bytes
        }
        return token;
    }

    private static byte[] bytes(String text) {
        try {
            return Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException notBase64) {
            throw bad();
        }
    }

    /** Detects tokens that were truncated or mistyped. */
    private static int checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    private static DormouseException bad() {
        return new DormouseException(
                ErrorCode.BAD_TOKEN,
                "Expected the token of an approval, " + PREFIX
                        + "… and letters, but got something else. Pass the text as it is, whole.");
    }

    /** Leaves out the secret. */
    @Override
    public String toString() {
        return "ApprovalToken[" + workflowId + ", " + step + "]";
    }
}
