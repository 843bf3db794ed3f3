package dev.dormouse;

import dev.dormouse.codec.Payload;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** An event that a workflow has waited for with {@link WorkflowContext#waitForEvent}. Immutable. */
public final class PublishedEvent {
    private final String name;
    private final String id;
    private final Payload payload;
    private final Payloads payloads;

    PublishedEvent(String name, String id, Payload payload, Payloads payloads) {
        this.name = name;
        this.id = id;
        this.payload = payload;
        this.payloads = payloads;
    }

    public String name() {
        return name;
    }

    /** What {@link Dormouse#publish} has returned. */
    public String id() {
        return id;
    }

    /**
     * Returns what was published, as this type. If it cannot be read as this type, the run is not failed but stopped: it
     * goes to nodes with another build, or is stuck until code comes that can read it (DM4001).
     */
    public <T> @Nullable T payload(Class<T> type) {
        return payload(TypeRef.of(type));
    }

    /**
     * Returns what was published, as a type that has type parameters. If it cannot be read as this type, the run is stopped
     * as by {@link #payload(Class)}.
     */
    @SuppressWarnings("unchecked") // the codec returns what it was asked for, or fails
    public <T> @Nullable T payload(TypeRef<T> type) {
        Type wanted = Arguments.required(type, "a type").type();
        return (T) RecordedValues.read(payloads, "the payload of " + this, payload, wanted);
    }

    @Override
    public String toString() {
        return "event '" + name + "' " + id;
    }
}
