package dev.dormouse;

import dev.dormouse.codec.Payload;
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

    public String name() {
        return name;
    }

    /** How many arguments it was sent with. */
    public int size() {
        return arguments.size();
    }

    /** Its first argument as this type; null when it was sent without any. */
    public <T> @Nullable T value(Class<T> type) {
        return arguments.isEmpty() ? null : value(0, type);
    }

    /** One of its arguments, counted from 0, as this type. */
    @SuppressWarnings("unchecked") // the codec returns what it was asked for, or fails
    public <T> @Nullable T value(int index, Class<T> type) {
        return (T) payloads.decode(arguments.get(index), type);
    }

    @Override
    public String toString() {
        return "signal '" + name + "'";
    }
}
