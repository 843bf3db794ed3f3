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

    void origin(Origin origin) {
        Origin.Parent parent = origin.parent();
        number(parent == null ? 0 : 1);
        if (parent != null) {
            text(parent.workflowId());
            uuid(parent.runId());
            number(parent.call());
        }
        optional(origin.continues());
        optional(origin.chain());
        Origin.Debounce debounce = origin.debounce();
        number(debounce == null ? 0 : 1);
        if (debounce != null) {
            number(Micros.of(debounce.quiet()));
            number(Micros.of(debounce.limit()));
        }
        mail(origin.mail());
    }

    void originInQueue(Origin origin, Queued queued) {
        number(origin.reset() == null ? 0 : 1);
        origin(origin);
        if (origin.reset() != null) {
            reset(origin.reset());
        }
        queued(queued);
    }

    void queued(Queued queued) {
        text(queued.queue());
        number(queued.priority());
        text(queued.key());
    }

    void reset(Origin.Reset reset) {
        uuid(reset.from());
        uuid(reset.identity());
        number(reset.events());
        instant(reset.at());
        number(reset.mail());
        number(reset.children().size());
        for (Origin.Child child : reset.children()) {
            number(child.call());
            uuid(child.askedBy());
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

    void tried(Tried tried) {
        number(tried.attempt());
        instant(tried.firstStartedAt());
        instant(tried.startedAt());
        optional(tried.details());
        optional(tried.checkpoint());
    }

    void optional(@Nullable Failure failure) {
        number(failure == null ? 0 : 1);
        if (failure != null) {
            failure(failure);
        }
    }

    void optional(@Nullable Problem problem) {
        number(problem == null ? 0 : 1);
        if (problem != null) {
            failure(problem.failure());
            advice(problem.advice());
        }
    }

    private void advice(RetryAdvice advice) {
        number(advice.isFinal() ? 1 : 0);
        Duration retryAfter = advice.retryAfter();
        number(retryAfter == null ? 0 : 1);
        if (retryAfter != null) {
            number(retryAfter.getSeconds());
            number(retryAfter.getNano());
        }
        number(advice.types().size());
        advice.types().forEach(this::text);
    }

    void failure(Failure failure) {
        text(failure.type());
        text(failure.message());
        text(failure.stackTrace());
        number(failure.cause() == null ? 0 : 1);
        if (failure.cause() != null) {
            failure(failure.cause());
        }
    }
}
