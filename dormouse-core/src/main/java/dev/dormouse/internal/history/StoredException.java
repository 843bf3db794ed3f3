package dev.dormouse.internal.history;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.RecordedException;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A recorded exception with encoded details. It keeps them encoded, so that an exception that contains it is recorded
 * with the same bytes. A copy by Java serialization has no details.
 */
final class StoredException extends RecordedException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable Payload payload;
    private final transient @Nullable BiFunction<Payload, Class<?>, @Nullable Object> decode;

    StoredException(
            String type,
            String message,
            String stackTraceText,
            @Nullable RecordedException cause,
            Payload payload,
            BiFunction<Payload, Class<?>, @Nullable Object> decode) {
        super(type, message, stackTraceText, cause);
        this.payload = payload;
        this.decode = decode;
    }

    @Nullable
    Payload payload() {
        return payload;
    }

    @Override
    @SuppressWarnings("unchecked") // the codec returns the requested type, or throws
    public <T> Optional<T> details(Class<T> type) {
        return payload == null || decode == null
                ? Optional.empty()
                : Optional.ofNullable((T) decode.apply(payload, type));
    }
}
