package dev.dormouse.internal.event;

import dev.dormouse.PublishedEvent;
import dev.dormouse.TypeRef;
import dev.dormouse.codec.Payload;
import dev.dormouse.internal.value.Arguments;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.internal.value.RecordedValues;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** An event as it was recorded, with the codec that reads its payload. Immutable. */
public final class ReceivedEvent implements PublishedEvent {
    private final String name;
    private final String id;
    private final Payload payload;
    private final Payloads payloads;

    public ReceivedEvent(String name, String id, Payload payload, Payloads payloads) {
        this.name = name;
        this.id = id;
        this.payload = payload;
        this.payloads = payloads;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
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
