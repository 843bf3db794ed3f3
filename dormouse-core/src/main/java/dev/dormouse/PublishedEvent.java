package dev.dormouse;

import org.jspecify.annotations.Nullable;

/** An event that a workflow received with {@link WorkflowContext#waitForEvent}. Immutable. */
public interface PublishedEvent {

    /** Returns the name of the event. */
    String name();

    /** Returns the event's id, as {@link Dormouse#publish} returned it. */
    String id();

    /**
     * Returns the payload of the event as {@code type}; null if it was published with null. If the payload cannot be
     * read as this type, the run does not fail but stops (CODE_DOES_NOT_MATCH, DM4001): it passes to nodes with another
     * build, or is stuck until code is deployed that can read it.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code type} is null or has type parameters;
     *     PAYLOAD_DOES_NOT_FIT outside of workflow code, such as in a step, if the payload cannot be read as this type
     */
    default <T> @Nullable T payload(Class<T> type) {
        return payload(TypeRef.of(type));
    }

    /**
     * Returns the payload of the event as a type that has type parameters; null if it was published with null. If the
     * payload cannot be read as this type, the run stops, as described for {@link #payload(Class)}.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code type} is null; PAYLOAD_DOES_NOT_FIT outside
     *     of workflow code, such as in a step, if the payload cannot be read as this type
     */
    <T> @Nullable T payload(TypeRef<T> type);
}
