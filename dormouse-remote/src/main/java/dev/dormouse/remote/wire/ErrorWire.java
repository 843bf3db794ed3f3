package dev.dormouse.remote.wire;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.StoreTrouble;
import dev.dormouse.remote.v1.RunProto;
import dev.dormouse.store.base.StoreException;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Errors as gRPC statuses and in outcomes. A status with the trailer {@code dormouse-code} is an error of the other side
 * and has its code and message. A status without it comes from the transport.
 */
public final class ErrorWire {
    static final Metadata.Key<String> CODE = Metadata.Key.of("dormouse-code", Metadata.ASCII_STRING_MARSHALLER);
    static final Metadata.Key<String> TROUBLE = Metadata.Key.of("dormouse-trouble", Metadata.ASCII_STRING_MARSHALLER);

    /** Longer messages are cut: a trailer has a limited size, and a character may take nine bytes of it. */
    private static final int MOST_CHARACTERS = 1_500;

    private static final Map<String, ErrorCode> CODES =
            Arrays.stream(ErrorCode.values()).collect(Collectors.toMap(ErrorCode::label, Function.identity()));

    private static final String TROUBLE_PREFIX = "STORE_TROUBLE_";

    private ErrorWire() {}

    /** Returns the status of a call that has failed on the server. */
    public static StatusRuntimeException write(Throwable problem) {
        DormouseException known = problem instanceof DormouseException ours ? ours : unexpected(problem);
        Metadata trailers = new Metadata();
        trailers.put(CODE, known.code().label());
        if (known instanceof StoreException store) {
            trailers.put(TROUBLE, store.trouble().name());
        }
        return status(known.code()).withDescription(message(known)).asRuntimeException(trailers);
    }

    private static DormouseException unexpected(Throwable problem) {
        if (problem instanceof IllegalArgumentException) {
            return new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a valid request, but got this: " + problem.getMessage()
                            + " Use the same version of Dormouse on both sides.",
                    problem);
        }
        return failed(problem);
    }

    /** Returns a failure of a store's code that is not a {@link StoreException}. */
    public static StoreException failed(Throwable problem) {
        return problem instanceof StoreException known
                ? known
                : new StoreException(
                        ErrorCode.STORE_FAILED,
                        "Expected the store behind the server to take a call, but it failed: " + problem
                                + ". Read the log of the server.",
                        problem);
    }

    private static Status status(ErrorCode code) {
        return switch (code) {
            case BAD_ARGUMENT, INSTANT_OUT_OF_RANGE, BAD_SETTING -> Status.INVALID_ARGUMENT;
            case NOT_SUPPORTED_BY_STORE -> Status.UNIMPLEMENTED;
            case STORE_UNAVAILABLE -> Status.UNAVAILABLE;
            case SERVER_INCOMPATIBLE, READ_ONLY, STORE_FILE_REPLACED, DORMOUSE_CLOSED -> Status.FAILED_PRECONDITION;
            default -> Status.INTERNAL;
        };
    }

    /**
     * Returns the error of the other side, empty if the status comes from the transport.
     *
     * @param trailers the trailers of the call; null if there are none
     */
    public static Optional<DormouseException> read(Status status, @Nullable Metadata trailers) {
        String label = trailers == null ? null : trailers.get(CODE);
        if (trailers == null || label == null) {
            return Optional.empty();
        }
        ErrorCode code = CODES.getOrDefault(label, ErrorCode.STORE_FAILED);
        String message = status.getDescription() == null
                ? "Expected an answer, but got " + label + "."
                : status.getDescription();
        String trouble = trailers.get(TROUBLE);
        return Optional.of(
                trouble == null
                        ? new DormouseException(code, message)
                        : new StoreException(code, trouble(trouble), message, null));
    }

    static RunProto.StoreError write(StoreException problem) {
        return RunProto.StoreError.newBuilder()
                .setCode(problem.code().label())
                .setMessage(message(problem))
                .setTrouble(RunProto.StoreTrouble.valueOf(
                        TROUBLE_PREFIX + problem.trouble().name()))
                .build();
    }

    static StoreException read(RunProto.StoreError error) {
        return new StoreException(
                CODES.getOrDefault(error.getCode(), ErrorCode.STORE_FAILED),
                trouble(error.getTrouble().name().replaceFirst(TROUBLE_PREFIX, "")),
                error.getMessage(),
                null);
    }

    /** Returns the trouble of this name; REFUSED for one of a newer version. */
    private static StoreTrouble trouble(String name) {
        return Arrays.stream(StoreTrouble.values())
                .filter(trouble -> trouble.name().equals(name))
                .findFirst()
                .orElse(StoreTrouble.REFUSED);
    }

    /** Returns the message without the code, which the exception on the other side puts before it. */
    private static String message(DormouseException problem) {
        String label = "[" + problem.code().label() + "] ";
        String text = problem.getMessage();
        String message = text.startsWith(label) ? text.substring(label.length()) : text;
        String cut = message.length() <= MOST_CHARACTERS ? message : message.substring(0, MOST_CHARACTERS) + "…";
        return cut.codePoints()
                .map(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE ? '?' : point)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
