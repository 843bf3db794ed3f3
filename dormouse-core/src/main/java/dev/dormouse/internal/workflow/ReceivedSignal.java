package dev.dormouse.internal.workflow;

import dev.dormouse.Signal;
import dev.dormouse.TypeRef;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.value.Arguments;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.internal.value.RecordedValues;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A signal as it was recorded, with the codec that reads its arguments. Immutable. */
final class ReceivedSignal implements Signal {
    private final String name;
    private final List<Payload> arguments;
    private final Payloads payloads;

    ReceivedSignal(String name, List<Payload> arguments, Payloads payloads) {
        this.name = name;
        this.arguments = arguments;
        this.payloads = payloads;
    }

    Message.Signal message() {
        return new Message.Signal(name, arguments);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int size() {
        return arguments.size();
    }

    @Override
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
