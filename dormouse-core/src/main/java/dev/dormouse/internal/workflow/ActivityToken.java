package dev.dormouse.internal.workflow;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.engine.Node;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.Problem;
import dev.dormouse.internal.value.Arguments;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The token that completes an activity from outside, as a text that fits into an e-mail or a URL. Immutable. */
public record ActivityToken(String workflowId, UUID runId, int call, UUID secret) {
    private static final String PREFIX = "dm1-";
    private static final int FIXED = 16 + 4 + 16;
    private static final int CHECKSUM = 4;

    String text() {
        byte[] id = workflowId.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(FIXED + id.length + CHECKSUM);
        bytes.putLong(runId.getMostSignificantBits())
                .putLong(runId.getLeastSignificantBits())
                .putInt(call)
                .putLong(secret.getMostSignificantBits())
                .putLong(secret.getLeastSignificantBits())
                .put(id);
        bytes.putInt(checksum(bytes.array()));
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    public static ActivityToken of(@Nullable String text) {
        byte[] bytes = bytes(Arguments.required(text, "a token").strip());
        if (bytes.length <= FIXED + CHECKSUM
                || ByteBuffer.wrap(bytes).getInt(bytes.length - CHECKSUM) != checksum(bytes)) {
            throw bad();
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        UUID runId = new UUID(in.getLong(), in.getLong());
        int call = in.getInt();
        UUID secret = new UUID(in.getLong(), in.getLong());
        byte[] id = Arrays.copyOfRange(bytes, FIXED, bytes.length - CHECKSUM);
        return new ActivityToken(new String(id, StandardCharsets.UTF_8), runId, call, secret);
    }

    private static byte[] bytes(String text) {
        try {
            return text.startsWith(PREFIX)
                    ? Base64.getUrlDecoder().decode(text.substring(PREFIX.length()))
                    : new byte[0];
        } catch (IllegalArgumentException notBase64) {
            throw bad();
        }
    }

    /** Computes a checksum, which detects a text that was truncated or mistyped. */
    private static int checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length - CHECKSUM);
        return (int) crc.getValue();
    }

    private static DormouseException bad() {
        return new DormouseException(
                ErrorCode.BAD_TOKEN,
                "Expected a token from Activity.completeLater(), which begins with " + PREFIX
                        + ", but got something else. Pass the complete text, unchanged.");
    }

    public void complete(Node node, Payload result) {
        node.endStep(workflowId, new Message.StepEnded(runId, call, secret, result, null));
    }

    public void fail(Node node, Problem problem) {
        node.endStep(workflowId, new Message.StepEnded(runId, call, secret, Payload.NOTHING, problem));
    }

    /** Describes the token without its secret. */
    @Override
    public String toString() {
        return "ActivityToken[" + workflowId + ", " + runId + ", call " + call + "]";
    }
}
