package dev.dormouse.dag.run;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An approval that a run waits for, with its secret and the decision. Confined to the run's coroutines. */
final class ApprovalState {
    private static final int SECRET_BYTES = 16;

    private final String secret;
    private boolean closed;
    private @Nullable Map<String, @Nullable Object> decision;

    ApprovalState(String secret) {
        this.secret = secret;
    }

    /** Returns a random secret. Called in a step, so that it is recorded and replayed. */
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

    /** Records the decision if the secret matches. Only the first decision counts. */
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

    /** Rejects all later decisions. */
    void close() {
        closed = true;
    }

    /** Returns the decision, or the timeout outcome if there is none. */
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
