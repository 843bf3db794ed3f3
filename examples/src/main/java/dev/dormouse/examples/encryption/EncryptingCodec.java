package dev.dormouse.examples.encryption;

import dev.dormouse.codec.JacksonCodec;
import dev.dormouse.codec.Payload;
import dev.dormouse.codec.PayloadCodec;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/** A codec that writes JSON and encrypts it with AES-GCM. New payloads use the current key; old ones name theirs. */
public final class EncryptingCodec implements PayloadCodec {
    private static final String PREFIX = "json+aes:";
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;

    private final PayloadCodec json = new JacksonCodec();
    private final SecureRandom random = new SecureRandom();
    private final Map<String, SecretKey> keys;
    private final String current;

    /** @param current the name of the key for new payloads, one of {@code keys} */
    public EncryptingCodec(Map<String, SecretKey> keys, String current) {
        this.keys = Map.copyOf(keys);
        this.current = current;
    }

    @Override
    public Payload encode(@Nullable Object value) {
        return encrypt(json.encode(value));
    }

    @Override
    public Payload encode(@Nullable Object value, Type type) {
        return encrypt(json.encode(value, type));
    }

    @Override
    public @Nullable Object decode(Payload payload, Type type) {
        return json.decode(payload.encoding().startsWith(PREFIX) ? decrypt(payload) : payload, type);
    }

    private Payload encrypt(Payload plain) {
        byte[] nonce = new byte[NONCE];
        random.nextBytes(nonce);
        try {
            byte[] secret = cipher(Cipher.ENCRYPT_MODE, current, nonce).doFinal(plain.bytes());
            byte[] bytes = ByteBuffer.allocate(NONCE + secret.length)
                    .put(nonce)
                    .put(secret)
                    .array();
            return new Payload(PREFIX + current, bytes);
        } catch (GeneralSecurityException problem) {
            throw new DormouseException(
                    ErrorCode.PAYLOAD_NOT_SERIALIZABLE,
                    "Expected key '" + current + "' to encrypt a value, but it cannot. Check the key.",
                    problem);
        }
    }

    private Payload decrypt(Payload payload) {
        String key = payload.encoding().substring(PREFIX.length());
        byte[] nonce = new byte[NONCE];
        ByteBuffer bytes = ByteBuffer.wrap(payload.bytes()).get(nonce);
        byte[] secret = new byte[bytes.remaining()];
        bytes.get(secret);
        try {
            return new Payload("json", cipher(Cipher.DECRYPT_MODE, key, nonce).doFinal(secret));
        } catch (GeneralSecurityException problem) {
            throw new DormouseException(
                    ErrorCode.PAYLOAD_DOES_NOT_FIT,
                    "Expected key '" + key + "' to decrypt a value, but it is missing or wrong. Add it.",
                    problem);
        }
    }

    private Cipher cipher(int mode, String key, byte[] nonce) throws GeneralSecurityException {
        SecretKey secret = keys.get(key);
        if (secret == null) {
            throw new GeneralSecurityException("This node does not have the key.");
        }
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, secret, new GCMParameterSpec(TAG_BITS, nonce));
        return cipher;
    }
}
