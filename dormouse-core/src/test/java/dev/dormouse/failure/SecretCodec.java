package dev.dormouse.failure;

import dev.dormouse.codec.JacksonCodec;
import dev.dormouse.codec.Payload;
import dev.dormouse.codec.PayloadCodec;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** A codec that stands in for encryption: its payloads do not contain the plain text. */
final class SecretCodec implements PayloadCodec {
    private final PayloadCodec plain = new JacksonCodec();

    @Override
    public Payload encode(@Nullable Object value) {
        return new Payload("secret", mixed(plain.encode(value).bytes()));
    }

    @Override
    public @Nullable Object decode(Payload payload, Type type) {
        if (payload.encoding().isEmpty()) {
            return plain.decode(payload, type);
        } else if (!payload.encoding().equals("secret")) {
            throw new DormouseException(ErrorCode.PAYLOAD_DOES_NOT_FIT, "Expected a secret, but got none.");
        }
        return plain.decode(new Payload("json", mixed(payload.bytes())), type);
    }

    private static byte[] mixed(byte[] bytes) {
        byte[] mixed = bytes.clone();
        for (int i = 0; i < mixed.length; i++) {
            mixed[i] ^= 0x55;
        }
        return mixed;
    }
}
