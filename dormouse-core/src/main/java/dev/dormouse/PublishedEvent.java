package dev.dormouse;

import dev.dormouse.codec.Payload;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** An event that a workflow received with {@link WorkflowContext#waitForEvent}. Immutable. */
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

    /** Returns the name of the event. */
    public String name() {
        return name;
    }

    /** Returns the event's id, as {@link Dormouse#publish} returned it. */
    public String id() {
        return id;
    }

    /**
     * Returns the payload of the event as {@code type}; null if it was published with null. If the payload cannot be
     * read as this type, the run does not fail but stops (CODE_DOES_NOT_MATCH, DM4001): it passes to nodes with another
     * build, or is stuck until code is deployed that can read it.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code type} is null or has type parameters
     */
    public <T> @Nullable T payload(Class<T> type) {
        return payload(TypeRef.of(type));
    }

    /**
     * Returns the payload of the event as a type that has type parameters; null if it was published with null. If the
     * payload cannot be read as this type, the run stops, as described for {@link #payload(Class)}.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code type} is null
     */
    @SuppressWarnings("unchecked") // the codec returns the requested type, or throws
    public <T> @Nullable T payload(TypeRef<T> type) {
        Type wanted = Arguments.required(type, "a type").type();
        return (T) RecordedValues.read(payloads, "the payload of " + this, payload, wanted);
    }

    @Override
    public String toString() {
        return "event '" + name + "' " + id;
    }
}
