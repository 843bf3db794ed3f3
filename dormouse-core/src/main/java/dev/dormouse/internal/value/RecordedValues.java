package dev.dormouse.internal.value;

import dev.dormouse.TypeRef;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.RecordedException;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.run.RemoteStep;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values that a run has recorded or received, decoded as the types of the current code. Code that cannot decode one is
 * not the code of this run. It is stopped by a {@link dev.dormouse.internal.run.CodeMismatch}: the run passes to another
 * build, or is stuck until a build is deployed that can decode the value. Until then the run loses nothing.
 */
public final class RecordedValues {
    private RecordedValues() {}

    /**
     * Decodes a value.
     *
     * @param what the noun phrase for the message, such as {@code the result of child 'c'}
     */
    public static @Nullable Object read(Payloads payloads, String what, Payload payload, Type type) {
        try {
            return payloads.decode(payload, type);
        } catch (RuntimeException | LinkageError unreadable) {
            throw refused(what, type.getTypeName(), unreadable);
        }
    }

    /** Decodes the arguments for parameters of these types. */
    public static @Nullable Object[] readAll(
            Payloads payloads, String what, List<Payload> arguments, List<Type> types) {
        try {
            return payloads.decodeAll(arguments, types);
        } catch (RuntimeException | LinkageError unreadable) {
            throw refused(what, types.stream().map(Type::getTypeName).toList().toString(), unreadable);
        }
    }

    /**
     * Returns a failure as an exception with decoded texts. Its details are decoded when the code reads them.
     *
     * @throws DormouseException BAD_ARGUMENT, when the details are read, for a class with type parameters
     */
    public static RecordedException exception(Payloads payloads, Failure kept) {
        return payloads.open(kept)
                .asException((details, type) -> read(
                        payloads,
                        "the details of a " + kept.type(),
                        details,
                        TypeRef.of(type).type()));
    }

    /** Decodes the description of a stand-alone activity or timer. */
    public static RemoteStep call(Payload payload) {
        try {
            return RemoteStep.decode(payload);
        } catch (DormouseException tooNew) {
            throw refused("the description of an activity", "this version writes it", tooNew);
        }
    }

    /**
     * Returns the exception for a value that cannot be decoded. In workflow code it stops the run; elsewhere, such as
     * in a step, it is an ordinary error.
     */
    private static DormouseException refused(String what, String type, Throwable unreadable) {
        Replay run = Replay.current();
        String message = "Expected " + what + " to be read as " + type + ", but: " + reason(unreadable)
                + " Deploy code that can read it.";
        if (run == null) {
            return unreadable instanceof DormouseException known
                    ? known
                    : new DormouseException(ErrorCode.PAYLOAD_DOES_NOT_FIT, message, unreadable);
        }
        return run.refuse(ErrorCode.CODE_DOES_NOT_MATCH, message);
    }

    /**
     * Returns the reason for the message. The message of a foreign exception may contain payload data, which must not
     * be logged.
     */
    private static String reason(Throwable unreadable) {
        return unreadable instanceof DormouseException known
                ? String.valueOf(known.getMessage())
                : "the codec threw " + unreadable.getClass().getName() + ".";
    }
}
