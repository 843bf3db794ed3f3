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
 * A secret that identifies a caller. Only its hash is kept. Tokens are long and random, so a plain hash cannot be
 * reversed, and comparing takes the same time for all of them.
 */
public record Token(Caller caller, String hash) {
    private static final String PREFIX = "sha256:";
    private static final Pattern HASH = Pattern.compile(PREFIX + "[0-9a-f]{64}");
    private static final int SHORTEST = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    /**
     * Creates the token of a caller.
     *
     * @param secretOrHash the token itself, or the result of {@link #hash}
     * @throws DormouseException BAD_SETTING if the token is shorter than 32 characters
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

    /** Returns 256 random bits as text. */
    public static String random() {
        byte[] bytes = new byte[32];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns the hash of a token, which may be stored. */
    public static String hash(String secret) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return PREFIX + HexFormat.of().formatHex(digest.digest(secret.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    /** Returns true if this is the token's hash. Takes the same time in both cases. */
    public boolean isHashOf(String hashOfSecret) {
        return MessageDigest.isEqual(
                hash.getBytes(StandardCharsets.US_ASCII), hashOfSecret.getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns a text without the hash. */
    @Override
    public String toString() {
        return "Token[" + caller + "]";
    }
}
