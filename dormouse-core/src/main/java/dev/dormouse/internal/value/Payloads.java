package dev.dormouse.internal.value;

import dev.dormouse.codec.JacksonCodec;
import dev.dormouse.codec.Payload;
import dev.dormouse.codec.PayloadCodec;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.Sentence;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The codec with a payload limit, for single values and argument lists. Thread-safe if the codec is. */
public record Payloads(PayloadCodec codec, int limit) {
    private static final Logger LOG = LoggerFactory.getLogger(Payloads.class);

    /** Dormouse's own codec, for values that nodes with other user codecs must read too, such as schedules. */
    public static final Payloads OWN = new Payloads(new JacksonCodec(), 16 << 20);

    /** Encodes a value by its class. */
    public Payload encode(@Nullable Object value) {
        return checked(codec.encode(value));
    }

    /**
     * Encodes a value.
     *
     * @param type the type as which it will be decoded
     */
    public Payload encode(@Nullable Object value, Type type) {
        return checked(codec.encode(value, type));
    }

    private Payload checked(Payload payload) {
        if (payload.bytes().length > limit) {
            throw new DormouseException(
                    ErrorCode.PAYLOAD_TOO_LARGE,
                    "Expected a payload of at most " + limit + " bytes, but this one has " + payload.bytes().length
                            + ". Keep large data elsewhere and pass a reference, or raise the payload limit.");
        }
        return payload;
    }

    public List<Payload> encodeAll(@Nullable Object @Nullable [] values) {
        List<Payload> payloads = new ArrayList<>();
        if (values != null) {
            for (Object value : values) {
                payloads.add(encode(value));
            }
        }
        return payloads;
    }

    /**
     * Encodes a list of arguments.
     *
     * @param types the target types for decoding; ignored if their number differs
     */
    public List<Payload> encodeAll(@Nullable Object @Nullable [] values, List<Type> types) {
        if (values == null || values.length != types.size()) {
            return encodeAll(values);
        }
        List<Payload> payloads = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            payloads.add(encode(values[i], types.get(i)));
        }
        return payloads;
    }

    @Nullable
    public Object decode(Payload payload, Type type) {
        return codec.decode(payload, type);
    }

    /**
     * Throws if the details of an exception, or of one of its causes, cannot be stored.
     *
     * @throws DormouseException PAYLOAD_TOO_LARGE or PAYLOAD_NOT_SERIALIZABLE; its cause is {@code problem} without
     *     details
     */
    public void checkDetails(Throwable problem) {
        try {
            Failure.checkDetails(problem, this::encode);
        } catch (RuntimeException refused) {
            throw new DormouseException(
                    refused instanceof DormouseException known ? known.code() : ErrorCode.PAYLOAD_NOT_SERIALIZABLE,
                    "Expected an exception with details that can be stored, but they cannot: "
                            + Sentence.of(refused.getMessage()),
                    Failure.of(problem).asException());
        }
    }

    private Throwable storable(Throwable problem) {
        try {
            checkDetails(problem);
            return problem;
        } catch (DormouseException refused) {
            return refused;
        }
    }

    /**
     * Returns the recorded form of an exception: plain text, or encoded by the codec if it encodes failures. Details
     * are always encoded by the codec. If they cannot be stored, the result is the failure to store them.
     */
    public Failure keep(Throwable problem) {
        Failure plain = Failure.of(storable(problem), this::encode);
        if (!codec.encodesFailures()) {
            return plain;
        }
        try {
            return plain.sealed(codec::encode);
        } catch (RuntimeException refused) {
            LOG.warn(
                    "The codec cannot encode the message of a {}; only its class name is recorded",
                    plain.type(),
                    refused);
            return new Failure(plain.type(), Failure.PROTECTED, "", null);
        }
    }

    /** Returns a failure with its texts decoded. A failure that this codec cannot decode is returned unchanged. */
    public Failure open(Failure kept) {
        try {
            return kept.opened(texts -> String.valueOf(codec.decode(texts, String.class)));
        } catch (RuntimeException unreadable) {
            return kept;
        }
    }

    /** Returns an event with the texts of its failure decoded. */
    public Event open(Event event) {
        if (event instanceof Event.StepFailed e) {
            return new Event.StepFailed(e.at(), e.call(), e.name(), e.startedAt(), open(e.failure()), e.attempts());
        } else if (event instanceof Event.RunFailed e) {
            return new Event.RunFailed(e.at(), open(e.failure()), e.attempts());
        } else if (event instanceof Event.StepPostponed e && e.failure() != null) {
            return new Event.StepPostponed(
                    e.at(), e.call(), e.name(), e.tried(), e.nextAt(), open(e.failure()), e.pause());
        } else if (event instanceof Event.UpdateAnswered e && e.failure() != null) {
            return new Event.UpdateAnswered(e.at(), e.position(), e.rejected(), e.result(), open(e.failure()));
        }
        return event;
    }

    /** Decodes the arguments for parameters of these types. */
    @Nullable
    public Object[] decodeAll(List<Payload> payloads, List<Type> types) {
        if (types.size() != payloads.size()) {
            throw new DormouseException(
                    ErrorCode.PAYLOAD_DOES_NOT_FIT,
                    "Expected " + types.size() + " arguments of types "
                            + types.stream().map(Type::getTypeName).toList() + ", but got " + payloads.size()
                            + ". Compare the arguments with the method's signature.");
        }
        @Nullable Object[] values = new Object[types.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = decode(payloads.get(i), types.get(i));
        }
        return values;
    }
}
