package dev.dormouse;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Message;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A signal that a workflow has waited for with {@link WorkflowContext#waitForSignal}. Immutable. */
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

    public String name() {
        return name;
    }

    /** How many arguments it was sent with. */
    public int size() {
        return arguments.size();
    }

    /** Its first argument as this type; null when it was sent without any. */
    public <T> @Nullable T value(Class<T> type) {
        return value(TypeRef.of(type));
    }

    /** Returns its first argument as a type that has type parameters; null when it was sent without any. */
    public <T> @Nullable T value(TypeRef<T> type) {
        return arguments.isEmpty() ? null : value(0, type);
    }

    /**
     * Returns one of its arguments, counted from 0, as this type. If it cannot be read as this type, the run is not
     * failed but stopped: it goes to nodes with another build, or is stuck until code comes that can read it (DM4001).
     */
    public <T> @Nullable T value(int index, Class<T> type) {
        return value(index, TypeRef.of(type));
    }

    /** Returns one of its arguments, counted from 0, as a type that has type parameters. */
    @SuppressWarnings("unchecked") // the codec returns what it was asked for, or fails
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
