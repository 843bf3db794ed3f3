package dev.dormouse.internal.event;

import dev.dormouse.PublishedEvent;
import dev.dormouse.codec.JacksonCodec;
import dev.dormouse.codec.Payload;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.store.event.PastEvent;
import dev.dormouse.store.event.Subscription;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of events and of waits for them. It always uses Dormouse's own codec, so that nodes with other user
 * codecs can read it.
 */
public final class EventForms {
    private static final Payloads OWN = new Payloads(new JacksonCodec(), 64 << 20);
    private static final String ENCODING = OWN.encode("").encoding();

    private EventForms() {}

    /**
     * An event.
     *
     * @param encoding the encoding of the published payload
     * @param bytes the published payload
     * @param keys the keys of all values in the payload, see {@link EventMatch}
     */
    public record Kept(String id, String encoding, byte[] bytes, Set<String> keys) {
        static Kept of(String id, Payload payload, Set<String> keys) {
            return new Kept(id, payload.encoding(), payload.bytes(), keys);
        }

        Payload payload() {
            return new Payload(encoding, bytes);
        }

        public PublishedEvent open(String name, Payloads payloads) {
            return new ReceivedEvent(name, id, payload(), payloads);
        }
    }

    /**
     * The condition of a wait.
     *
     * @param keys the keys that the event must have
     * @param used the ids of events that the run has received before
     */
    public record Wanted(Set<String> keys, Set<String> used) {
        boolean isMetBy(Kept event) {
            return !used.contains(event.id()) && event.keys().containsAll(keys);
        }
    }

    public static Payload encode(@Nullable Object value) {
        return value == null ? Payload.NOTHING : OWN.encode(value);
    }

    public static @Nullable Kept event(Payload payload) {
        return (Kept) OWN.decode(payload, Kept.class);
    }

    static Kept event(PastEvent past) {
        return Objects.requireNonNull(event(new Payload(ENCODING, past.payload())));
    }

    static PastEvent past(String name, Kept event) {
        return new PastEvent(name, event.id(), encode(event).bytes());
    }

    static Wanted wanted(Subscription wait) {
        Wanted wanted = (Wanted) OWN.decode(new Payload(ENCODING, wait.match()), Wanted.class);
        return Objects.requireNonNull(wanted);
    }

    static Payload text(String text) {
        return OWN.encode(text);
    }

    public static String text(Payload payload) {
        return Objects.requireNonNull((String) OWN.decode(payload, String.class));
    }

    public static Payload texts(List<String> texts) {
        return OWN.encode(texts);
    }

    public static List<?> texts(Payload payload) {
        return Objects.requireNonNull((List<?>) OWN.decode(payload, List.class));
    }
}
