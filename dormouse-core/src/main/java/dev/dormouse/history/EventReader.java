package dev.dormouse.history;

import dev.dormouse.codec.Payload;
import dev.dormouse.store.Micros;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reads what {@link EventWriter} wrote. Throws {@link BufferUnderflowException} where the bytes end too early. */
final class EventReader {
    private static final int MAX_SHIFT = 63;
    private static final int MAX_CAUSES = 100;

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

    @Nullable
    Instant optional() {
        return number() == 0 ? null : instant();
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

    Failure failure() {
        return failure(MAX_CAUSES);
    }

    private Failure failure(int causesLeft) {
        if (causesLeft < 0) {
            throw new BufferUnderflowException(); // nobody wrote that
        }
        return new Failure(text(), text(), text(), number() == 0 ? null : failure(causesLeft - 1));
    }
}
