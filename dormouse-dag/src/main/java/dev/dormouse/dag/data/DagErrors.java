package dev.dormouse.dag.data;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;

/** Factory of the exceptions about definitions and their data. */
public final class DagErrors {
    private DagErrors() {}

    /**
     * Returns a BAD_DAG exception: the definition is invalid.
     *
     * @param sentence {@code Expected …, but …. What to do.}
     */
    public static DormouseException of(String sentence) {
        return new DormouseException(ErrorCode.BAD_DAG, sentence);
    }

    /** Returns a DAG_DATA exception: the data of a run has no value at a path, or a wrong one. */
    public static DormouseException data(String sentence) {
        return new DormouseException(ErrorCode.DAG_DATA, sentence);
    }

    /** Returns {@code value}, or throws BAD_DAG if it is null. */
    public static <T> T required(T value, String what) {
        if (value == null) {
            throw of("Expected " + what + ", but got null. Pass one.");
        }
        return value;
    }
}
