package dev.dormouse.internal.history;

import dev.dormouse.codec.Payload;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.Queued;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the format that {@link EventWriter} writes. Its methods throw {@link BufferUnderflowException} if the
 * bytes end too early.
 */
final class EventReader {
    private static final int MAX_SHIFT = 63;

    private final ByteBuffer in;

    EventReader(byte[] bytes) {
        in = ByteBuffer.wrap(bytes);
    }

    boolean atEnd() {
        return !in.hasRemaining();
    }

    long number() {
        long value = 0;
        for (int shift = 0; shift <= MAX_SHIFT; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new BufferUnderflowException();
    }

    int count() {
        long value = number();
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw new BufferUnderflowException();
        }
        return (int) value;
    }

    long signed() {
        long value = number();
        return (value >>> 1) ^ -(value & 1);
    }

    Instant instant() {
        return Micros.toInstant(signed());
    }

    UUID uuid() {
        return new UUID(signed(), signed());
    }

    <T> @Nullable T optional(Function<EventReader, T> value) {
        return number() == 0 ? null : value.apply(this);
    }

    List<Payload> payloads() {
        return list(EventReader::payload);
    }

    List<InboxMessage> mail() {
        return list(in -> new InboxMessage(in.number(), in.text(), in.count(), in.instant(), in.bytes()));
    }

    <T> List<T> list(Function<EventReader, T> item) {
        int count = count();
        List<T> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            items.add(item.apply(this));
        }
        return items;
    }

    Map<String, String> memo() {
        int count = count();
        Map<String, String> memo = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            memo.put(text(), text());
        }
        return memo;
    }

    Queued queued() {
        String queue = text();
        int priority = count();
        if (priority > Queued.HIGHEST) {
            throw new BufferUnderflowException(); // never written: damaged
        }
        return new Queued(queue, priority, text());
    }

    Duration duration() {
        return Duration.of(number(), ChronoUnit.MICROS);
    }

    byte[] bytes() {
        int length = count();
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    Payload payload() {
        return new Payload(text(), bytes());
    }
}
