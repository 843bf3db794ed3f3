package dev.dormouse;

import dev.dormouse.codec.Payload;
import dev.dormouse.codec.PayloadCodec;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The codec with the payload limit, and whole argument lists. */
record Payloads(PayloadCodec codec, int limit) {

    Payload encode(@Nullable Object value) {
        Payload payload = codec.encode(value);
        if (payload.bytes().length > limit) {
            throw new DormouseException(
                    ErrorCode.PAYLOAD_TOO_LARGE,
                    "Expected a payload of at most " + limit + " bytes, but this one has " + payload.bytes().length
                            + ". Keep large data elsewhere and pass a reference, or raise the payload limit.");
        }
        return payload;
    }

    List<Payload> encodeAll(@Nullable Object @Nullable [] values) {
        List<Payload> payloads = new ArrayList<>();
        if (values != null) {
            for (Object value : values) {
                payloads.add(encode(value));
            }
        }
        return payloads;
    }

    @Nullable
    Object decode(Payload payload, Type type) {
        return codec.decode(payload, type);
    }

    @Nullable
    Object[] decodeAll(List<Payload> payloads, Method method) {
        Type[] types = method.getGenericParameterTypes();
        if (types.length != payloads.size()) {
            throw new DormouseException(
                    ErrorCode.PAYLOAD_DOES_NOT_FIT,
                    "Expected " + types.length + " arguments for " + method + ", but got " + payloads.size()
                            + ". Compare what was sent with the method's signature.");
        }
        @Nullable Object[] values = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            values[i] = decode(payloads.get(i), types[i]);
        }
        return values;
    }
}
