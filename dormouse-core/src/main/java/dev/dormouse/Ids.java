package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.replay.Replay;

/** Names that users choose and that every store must be able to keep. */
final class Ids {
    private static final int MAX = 500;

    private Ids() {}

    static void checkWorkflowId(String workflowId) {
        check("workflow id", workflowId);
    }

    static void checkKey(String key) {
        check("key", key);
    }

    private static void check(String what, String id) {
        boolean isOdd = Arguments.required(id, "a " + what).indexOf('\0') >= 0 || !Replay.isWhole(id);
        if (id.isEmpty() || id.length() > MAX || isOdd) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a " + what + " of 1 to " + MAX + " whole characters without NUL, but got one of "
                            + id.length() + ". Choose another one.");
        }
    }
}
