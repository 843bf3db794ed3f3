package dev.dormouse.server.view;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.store.run.InboxMessage;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An event as a tree: payloads as {@link Value}, messages decoded, tokens left out. */
public final class EventDetail {
    /** Fields that are left out: a token allows its holder to end a step. */
    private static final Set<String> SECRET = Set.of("token");

    private EventDetail() {}

    public static Map<String, @Nullable Object> of(Record part) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        for (RecordComponent component : part.getClass().getRecordComponents()) {
            Object value = read(part, component);
            if (value != null && !SECRET.contains(component.getName())) {
                tree.put(component.getName(), tree(value));
            }
        }
        return tree;
    }

    private static @Nullable Object read(Record part, RecordComponent component) {
        try {
            return component.getAccessor().invoke(part);
        } catch (ReflectiveOperationException notPublic) {
            throw new IllegalStateException(notPublic);
        }
    }

    private static Object tree(Object value) {
        if (value instanceof Payload payload) {
            return Value.of(payload);
        } else if (value instanceof Failure failure) {
            return FailureView.of(failure);
        } else if (value instanceof InboxMessage mail) {
            return mail(mail);
        } else if (value instanceof List<?> list) {
            return list.stream().map(one -> tree(Objects.requireNonNull(one))).toList();
        } else if (value instanceof Instant
                || value instanceof Map
                || value instanceof Number
                || value instanceof Boolean) {
            return value;
        }
        return value instanceof Record record ? of(record) : value.toString();
    }

    private static Object mail(InboxMessage mail) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("position", mail.position());
        tree.put("key", mail.key());
        tree.put("acceptedAt", mail.acceptedAt());
        try {
            Record message = (Record) MessageCodec.decode(mail.kind(), mail.payload());
            tree.put("kind", message.getClass().getSimpleName());
            tree.putAll(of(message));
        } catch (DormouseException newer) {
            tree.put("bytes", mail.payload().length);
        }
        return tree;
    }
}
