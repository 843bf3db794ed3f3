package dev.dormouse.internal.history;

import dev.dormouse.codec.Payload;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.Queued;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A writer for the primitives of the event format: variable-length numbers and length-prefixed bytes. */
final class EventWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream(128);

    byte[] toBytes() {
        return out.toByteArray();
    }

    /** Writes the beginning of an event. Its fields follow. */
    void event(EventTag tag, Instant at) {
        number(tag.number());
        instant(at);
    }

    void number(long value) {
        while ((value & ~0x7FL) != 0) {
            out.write((int) ((value & 0x7F) | 0x80));
            value >>>= 7;
        }
        out.write((int) value);
    }

    /** Writes a number in zigzag encoding, so that small negative numbers are short too. */
    void signed(long value) {
        number((value << 1) ^ (value >> 63));
    }

    void instant(Instant instant) {
        signed(Micros.of(instant));
    }

    void optional(@Nullable Instant instant) {
        number(instant == null ? 0 : 1);
        if (instant != null) {
            instant(instant);
        }
    }

    void duration(Duration duration) {
        number(Micros.of(duration));
    }

    void uuid(UUID id) {
        signed(id.getMostSignificantBits());
        signed(id.getLeastSignificantBits());
    }

    void optional(@Nullable UUID id) {
        number(id == null ? 0 : 1);
        if (id != null) {
            uuid(id);
        }
    }

    void payloads(List<Payload> payloads) {
        number(payloads.size());
        payloads.forEach(this::payload);
    }

    void list(List<? extends Writable> items) {
        number(items.size());
        for (Writable item : items) {
            item.write(this);
        }
    }

    void memo(Map<String, String> memo) {
        number(memo.size());
        memo.forEach((key, value) -> {
            text(key);
            text(value);
        });
    }

    void mail(List<InboxMessage> items) {
        number(items.size());
        for (InboxMessage item : items) {
            number(item.position());
            text(item.key());
            number(item.kind());
            instant(item.acceptedAt());
            bytes(item.payload());
        }
    }

    void queued(Queued queued) {
        text(queued.queue());
        number(queued.priority());
        text(queued.key());
    }

    void optional(@Nullable Queued queued) {
        number(queued == null ? 0 : 1);
        if (queued != null) {
            queued(queued);
        }
    }

    void bytes(byte[] bytes) {
        number(bytes.length);
        out.write(bytes, 0, bytes.length);
    }

    void text(String text) {
        bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    void payload(Payload payload) {
        text(payload.encoding());
        bytes(payload.bytes());
    }

    void optional(@Nullable Payload payload) {
        number(payload == null ? 0 : 1);
        if (payload != null) {
            payload(payload);
        }
    }

    void optional(@Nullable Writable value) {
        number(value == null ? 0 : 1);
        if (value != null) {
            value.write(this);
        }
    }
}
