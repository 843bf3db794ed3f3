package dev.dormouse;

import dev.dormouse.codec.Payload;
import dev.dormouse.engine.RemoteStep;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.replay.Replay;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values that a run has recorded or received, read as the types of the code that runs now. Code that cannot read one is
 * not the code of this run: it is stopped by a {@link dev.dormouse.engine.CodeMismatch}, so that the run goes to another
 * build, or is stuck until one comes that can. Nothing is taken from it meanwhile.
 */
final class RecordedValues {
    private RecordedValues() {}

    /** @param what such as {@code the result of child 'c'} */
    static @Nullable Object read(Payloads payloads, String what, Payload payload, Type type) {
        try {
            return payloads.decode(payload, type);
        } catch (RuntimeException | LinkageError unfit) {
            throw refused(what, type.getTypeName(), unfit);
        }
    }

    /** The arguments for parameters of these types. */
    static @Nullable Object[] readAll(Payloads payloads, String what, List<Payload> arguments, List<Type> types) {
        try {
            return payloads.decodeAll(arguments, types);
        } catch (RuntimeException | LinkageError unfit) {
            throw refused(what, types.stream().map(Type::getTypeName).toList().toString(), unfit);
        }
    }

    /** How an activity or a timer that runs by itself is to be executed. */
    static RemoteStep call(Payload payload) {
        try {
            return RemoteStep.decode(payload);
        } catch (DormouseException tooNew) {
            throw refused("the description of an activity", "this version writes it", tooNew);
        }
    }

    /** Outside of workflow code, such as in a step, it is an error like any other. */
    private static DormouseException refused(String what, String type, Throwable unfit) {
        Replay run = Replay.current();
        String message = "Expected " + what + " to be read as " + type + ", but: " + reason(unfit)
                + " Deploy code that can read it.";
        if (run == null) {
            return unfit instanceof DormouseException known
                    ? known
                    : new DormouseException(ErrorCode.PAYLOAD_DOES_NOT_FIT, message, unfit);
        }
        return run.refuse(ErrorCode.CODE_DOES_NOT_MATCH, message);
    }

    /** The message of a foreign exception may be about data, which is not for the log. */
    private static String reason(Throwable unfit) {
        return unfit instanceof DormouseException known
                ? String.valueOf(known.getMessage())
                : "the codec threw " + unfit.getClass().getName() + ".";
    }
}
