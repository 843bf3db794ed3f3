package dev.dormouse;

import dev.dormouse.error.DormouseException;
import org.jspecify.annotations.Nullable;

/** A signal that a workflow received with {@link WorkflowContext#waitForSignal}. Immutable. */
public interface Signal {

    /** Returns the name of the signal. */
    String name();

    /** Returns the number of arguments. */
    int size();

    /**
     * Returns the first argument as {@code type}; null if the signal has no arguments, or the argument is null. If it
     * cannot be read as this type, the run stops, as described for {@link #value(int, Class)}.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code type} is null or has type parameters; PAYLOAD_DOES_NOT_FIT
     *     outside of workflow code, such as in a step, if the argument cannot be read as this type
     */
    default <T> @Nullable T value(Class<T> type) {
        return value(TypeRef.of(type));
    }

    /**
     * Returns the first argument as a type that has type parameters; null if the signal has no arguments, or the
     * argument is null. If it cannot be read as this type, the run stops, as described for {@link #value(int, Class)}.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code type} is null; PAYLOAD_DOES_NOT_FIT outside of workflow code,
     *     such as in a step, if the argument cannot be read as this type
     */
    default <T> @Nullable T value(TypeRef<T> type) {
        return size() == 0 ? null : value(0, type);
    }

    /**
     * Returns the argument at {@code index}, from 0, as {@code type}. If it cannot be read as this type, the run does
     * not fail but stops (CODE_DOES_NOT_MATCH, DM4001): it passes to nodes with another build, or is stuck until code
     * is deployed that can read it.
     *
     * @throws DormouseException BAD_ARGUMENT if there is no such argument, or {@code type} is null or has type
     *     parameters; PAYLOAD_DOES_NOT_FIT outside of workflow code, such as in a step, if it cannot be read as this
     *     type
     */
    default <T> @Nullable T value(int index, Class<T> type) {
        return value(index, TypeRef.of(type));
    }

    /**
     * Returns the argument at {@code index}, from 0, as a type that has type parameters. If it cannot be read as this
     * type, the run stops, as described for {@link #value(int, Class)}.
     *
     * @throws DormouseException BAD_ARGUMENT if there is no such argument, or {@code type} is null;
     *     PAYLOAD_DOES_NOT_FIT outside of workflow code, such as in a step, if it cannot be read as this type
     */
    <T> @Nullable T value(int index, TypeRef<T> type);
}
