package dev.dormouse.dag.run;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An approval that a run waits for, and the decision. Belongs to the run's coroutines. */
final class Approval {
    private static final int SECRET_BYTES = 16;

    private final String secret;
    private boolean closed;
    private @Nullable Map<String, @Nullable Object> decision;

    Approval(String secret) {
        this.secret = secret;
    }

    /** Nobody can guess it: it is made by a step, and recorded. */
    static String newSecret() {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }

    String secret() {
        return secret;
    }

    boolean isDecided() {
        return decision != null;
    }

    /** The first decision counts. */
    DagWorkflow.Verdict decide(String givenSecret, boolean approved, String by, String comment) {
        if (!MessageDigest.isEqual(bytes(givenSecret), bytes(secret))) {
            return DagWorkflow.Verdict.UNKNOWN;
        } else if (closed || decision != null) {
            return DagWorkflow.Verdict.USED;
        }
        Map<String, @Nullable Object> made = new LinkedHashMap<>();
        made.put("approved", approved);
        made.put("by", by);
        made.put("comment", comment);
        decision = made;
        return DagWorkflow.Verdict.ACCEPTED;
    }

    /** Nothing is decided after this. */
    void close() {
        closed = true;
    }

    /** What it has come to. */
    Map<String, @Nullable Object> outcome() {
        if (decision != null) {
            return decision;
        }
        Map<String, @Nullable Object> none = new LinkedHashMap<>();
        none.put("approved", false);
        none.put("timeout", true);
        return none;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
