package dev.dormouse.server.api;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * What a caller shows to be let in. Only its hash is kept: it is long and random, so that a plain hash cannot be turned
 * back, and is compared in the same time whatever it is.
 */
public record Token(Caller caller, String hash) {
    private static final String PREFIX = "sha256:";
    private static final Pattern HASH = Pattern.compile(PREFIX + "[0-9a-f]{64}");
    private static final int SHORTEST = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    /**
     * The token of a caller.
     *
     * @param secretOrHash the token itself, or what {@link #hash} made of it
     */
    public static Token of(String name, Role role, String secretOrHash) {
        if (HASH.matcher(secretOrHash).matches()) {
            return new Token(new Caller(name, role), secretOrHash);
        } else if (secretOrHash.length() < SHORTEST) {
            throw new DormouseException(
                    ErrorCode.BAD_SETTING,
                    "Expected a token of at least " + SHORTEST + " characters for '" + name + "', but got one of "
                            + secretOrHash.length() + ". Make one with DormouseServer.newToken().");
        }
        return new Token(new Caller(name, role), hash(secretOrHash));
    }

    /** 256 random bits, as a text. */
    public static String random() {
        byte[] bytes = new byte[32];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** What may be kept of a token. */
    public static String hash(String secret) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return PREFIX + HexFormat.of().formatHex(digest.digest(secret.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    /** Whether this is its hash; takes the same time whatever it is. */
    public boolean isHashOf(String hashOfSecret) {
        return MessageDigest.isEqual(
                hash.getBytes(StandardCharsets.US_ASCII), hashOfSecret.getBytes(StandardCharsets.US_ASCII));
    }

    /** Without the hash. */
    @Override
    public String toString() {
        return "Token[" + caller + "]";
    }
}
