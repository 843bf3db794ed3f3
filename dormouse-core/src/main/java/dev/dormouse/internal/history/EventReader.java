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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the format that {@link EventWriter} writes. Its methods throw {@link BufferUnderflowException} if the
 * bytes end too early.
 */
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

    UUID uuid() {
        return new UUID(signed(), signed());
    }

    @Nullable
    UUID optionalUuid() {
        return number() == 0 ? null : uuid();
    }

    List<Payload> payloads() {
        return list(this::payload);
    }

    List<InboxMessage> mail() {
        return list(() -> new InboxMessage(number(), text(), count(), instant(), bytes()));
    }

    private <T> List<T> list(Supplier<T> item) {
        int count = count();
        List<T> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            items.add(item.get());
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

    Origin origin() {
        Origin.Parent parent = number() == 0 ? null : new Origin.Parent(text(), uuid(), count());
        UUID continues = optionalUuid();
        UUID chain = optionalUuid();
        Origin.Debounce debounce = number() == 0 ? null : new Origin.Debounce(duration(), duration());
        return new Origin(parent, continues, chain, debounce, mail());
    }

    /** Reads the origin of a run that begins with the history of another run. */
    Origin originOfReset() {
        Origin origin = origin();
        return new Origin(
                origin.parent(), origin.continues(), origin.chain(), origin.debounce(), origin.mail(), reset(), null);
    }

    /** Reads the origin of a run in a queue. */
    Origin originInQueue() {
        return (number() == 0 ? origin() : originOfReset()).with(queued());
    }

    Queued queued() {
        String queue = text();
        int priority = count();
        if (priority > Queued.HIGHEST) {
            throw new BufferUnderflowException(); // never written: damaged
        }
        return new Queued(queue, priority, text());
    }

    private Origin.Reset reset() {
        return new Origin.Reset(
                uuid(), uuid(), count(), instant(), number(), list(() -> new Origin.Child(count(), uuid())));
    }

    private Duration duration() {
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

    @Nullable
    Payload optionalPayload() {
        return number() == 0 ? null : payload();
    }

    Tried tried() {
        return new Tried(count(), instant(), instant(), optionalPayload(), optionalPayload());
    }

    @Nullable
    Failure optionalFailure() {
        return number() == 0 ? null : failure();
    }

    @Nullable
    Problem optionalProblem() {
        return number() == 0 ? null : new Problem(failure(), advice());
    }

    private RetryAdvice advice() {
        boolean isFinal = number() != 0;
        Duration retryAfter = number() == 0 ? null : Duration.ofSeconds(number(), count());
        return new RetryAdvice(isFinal, retryAfter, list(this::text));
    }

    Failure failure() {
        return failure(MAX_CAUSES);
    }

    private Failure failure(int causesLeft) {
        if (causesLeft < 0) {
            throw new BufferUnderflowException(); // never written: damaged
        }
        return new Failure(text(), text(), text(), number() == 0 ? null : failure(causesLeft - 1));
    }
}
