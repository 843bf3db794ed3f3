package dev.dormouse;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Message;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A signal that a workflow received with {@link WorkflowContext#waitForSignal}. Immutable. */
public final class Signal {
    private final String name;
    private final List<Payload> arguments;
    private final Payloads payloads;

    Signal(String name, List<Payload> arguments, Payloads payloads) {
        this.name = name;
        this.arguments = arguments;
        this.payloads = payloads;
    }

    Message.Signal message() {
        return new Message.Signal(name, arguments);
    }

    /** Returns the name of the signal. */
    public String name() {
        return name;
    }

    /** Returns the number of arguments. */
    public int size() {
        return arguments.size();
    }

    /**
     * Returns the first argument as {@code type}; null if the signal has no arguments, or the argument is null. If it
     * cannot be read as this type, the run stops, as described for {@link #value(int, Class)}.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code type} is null or has type parameters
     */
    public <T> @Nullable T value(Class<T> type) {
        return value(TypeRef.of(type));
    }

    /**
     * Returns the first argument as a type that has type parameters; null if the signal has no arguments, or the
     * argument is null. If it cannot be read as this type, the run stops, as described for {@link #value(int, Class)}.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code type} is null
     */
    public <T> @Nullable T value(TypeRef<T> type) {
        return arguments.isEmpty() ? null : value(0, type);
    }

    /**
     * Returns the argument at {@code index}, from 0, as {@code type}. If it cannot be read as this type, the run does
     * not fail but stops (CODE_DOES_NOT_MATCH, DM4001): it passes to nodes with another build, or is stuck until code
     * is deployed that can read it.
     *
     * @throws DormouseException BAD_ARGUMENT if there is no such argument, or {@code type} is null or has type
     *     parameters
     */
    public <T> @Nullable T value(int index, Class<T> type) {
        return value(index, TypeRef.of(type));
    }

    /**
     * Returns the argument at {@code index}, from 0, as a type that has type parameters. If it cannot be read as this
     * type, the run stops, as described for {@link #value(int, Class)}.
     *
     * @throws DormouseException BAD_ARGUMENT if there is no such argument, or {@code type} is null
     */
    @SuppressWarnings("unchecked") // the codec returns the requested type, or throws
    public <T> @Nullable T value(int index, TypeRef<T> type) {
        if (index < 0 || index >= arguments.size()) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected one of the " + arguments.size() + " arguments of " + this + ", but got index " + index
                            + ". They count from 0.");
        }
        Type wanted = Arguments.required(type, "a type").type();
        return (T) RecordedValues.read(payloads, "argument " + index + " of " + this, arguments.get(index), wanted);
    }

    @Override
    public String toString() {
        return "signal '" + name + "'";
    }
}
