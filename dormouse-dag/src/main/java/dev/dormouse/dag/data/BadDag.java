package dev.dormouse.dag.data;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;

/** What is wrong with a definition. */
public final class BadDag {
    private BadDag() {}

    /** @param sentence {@code Expected …, but …. What to do.} */
    public static DormouseException of(String sentence) {
        return new DormouseException(ErrorCode.BAD_DAG, sentence);
    }

    /** What a run finds in its data, or does not find. */
    public static DormouseException data(String sentence) {
        return new DormouseException(ErrorCode.DAG_DATA, sentence);
    }

    /** For what must be given. */
    public static <T> T required(T value, String what) {
        if (value == null) {
            throw of("Expected " + what + ", but got null. Pass one.");
        }
        return value;
    }
}
