package dev.dormouse.internal.history;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.ApplicationException;
import dev.dormouse.error.RecordedException;
import dev.dormouse.error.Sentence;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.BufferUnderflowException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The recorded form of an exception: names, texts and details. The class is never loaded from here.
 *
 * <p>In a sealed failure the texts are encoded by the codec of the workflow and stored in the place of the stack trace.
 * A reader without that codec sees the name of the class and {@link #PROTECTED}. Details are always encoded by that codec.
 *
 * @param type the name of the class, or the type of an {@link ApplicationException}
 * @param stackTrace the printed stack trace, cut to a bounded length
 * @param details the value that the code has attached; null if there is none
 */
public record Failure(
        String type,
        String message,
        String stackTrace,
        @Nullable Failure cause,
        @Nullable Payload details) implements Writable {
    /** The placeholder for a message that only the codec of the workflow can read. */
    public static final String PROTECTED = "(protected by the codec)";

    private static final String SEAL = "dormouse/sealed ";
    private static final int MAX_TEXT = 8_000;
    private static final int MAX_CAUSES = 8;
    private static final int MAX_CAUSES_READ = 100;
    private static final String CAUSED_BY = "\nCaused by: ";

    /** Bits of the number that says what follows the texts. Histories without details have only 0 and 1. */
    private static final int HAS_CAUSE = 1;

    private static final int HAS_DETAILS = 2;

    /** Creates a failure without details. */
    public Failure(String type, String message, String stackTrace, @Nullable Failure cause) {
        this(type, message, stackTrace, cause, null);
    }

    /** Returns the recorded form of an exception. Details that are not encoded yet are left out. */
    public static Failure of(Throwable problem) {
        return of(problem, value -> null, 0);
    }

    /**
     * Returns the recorded form of an exception with its details.
     *
     * @param encode encodes details, or returns null to leave them out; throws what this method throws
     */
    public static Failure of(Throwable problem, Function<Object, @Nullable Payload> encode) {
        return of(problem, encode, 0);
    }

    private static Failure of(Throwable problem, Function<Object, @Nullable Payload> encode, int depth) {
        Throwable cause = ask(problem::getCause);
        String message = ask(problem::getMessage);
        String stackTrace = depth == 0 ? ask(() -> print(problem)) : "";
        return new Failure(
                whole(type(problem)),
                cut(String.valueOf(message)),
                cut(String.valueOf(stackTrace)),
                cause == null || cause == problem || depth == MAX_CAUSES ? null : of(cause, encode, depth + 1),
                details(problem, encode));
    }

    /** Encodes the details of an exception and of its causes, so that {@code encode} can refuse them by throwing. */
    public static void checkDetails(Throwable problem, Function<Object, @Nullable Payload> encode) {
        Throwable at = problem;
        for (int depth = 0; at != null && depth <= MAX_CAUSES; depth++) {
            details(at, encode);
            at = ask(at::getCause);
        }
    }

    /** Returns the name under which an exception is recorded. */
    static String type(Throwable problem) {
        if (problem instanceof RecordedException recorded) {
            return recorded.type();
        }
        return problem instanceof ApplicationException application
                ? application.type()
                : problem.getClass().getName();
    }

    private static @Nullable Payload details(Throwable problem, Function<Object, @Nullable Payload> encode) {
        if (problem instanceof StoredException stored) {
            return stored.payload();
        }
        Object value = null;
        if (problem instanceof ApplicationException application) {
            value = application.details();
        } else if (problem instanceof RecordedException recorded) {
            value = recorded.details(Object.class).orElse(null);
        }
        return value == null ? null : encode.apply(value);
    }

    /** Returns the result of a getter of an exception; null if the getter throws anything. */
    static <T> @Nullable T ask(Supplier<@Nullable T> question) {
        try {
            return question.get();
        } catch (Throwable broken) {
            return null;
        }
    }

    private static String print(Throwable problem) {
        StringWriter text = new StringWriter();
        problem.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private static String cut(String text) {
        if (text.length() <= MAX_TEXT) {
            return whole(text);
        }
        boolean splits = Character.isSurrogatePair(text.charAt(MAX_TEXT - 1), text.charAt(MAX_TEXT));
        return whole(text.substring(0, splits ? MAX_TEXT - 1 : MAX_TEXT)) + "…";
    }

    /** Returns the text as it comes back from the store: lone surrogates are replaced. */
    private static String whole(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    static Failure read(EventReader in) {
        return read(in, MAX_CAUSES_READ);
    }

    private static Failure read(EventReader in, int causesLeft) {
        if (causesLeft < 0) {
            throw new BufferUnderflowException(); // never written: damaged
        }
        String type = in.text();
        String message = in.text();
        String stackTrace = in.text();
        long parts = in.number();
        if ((parts & ~(HAS_CAUSE | HAS_DETAILS)) != 0) {
            throw EventCodec.unknown("parts of a failure", parts);
        }
        Payload details = (parts & HAS_DETAILS) == 0 ? null : in.payload();
        Failure cause = (parts & HAS_CAUSE) == 0 ? null : read(in, causesLeft - 1);
        return new Failure(type, message, stackTrace, cause, details);
    }

    @Override
    public void write(EventWriter out) {
        out.text(type);
        out.text(message);
        out.text(stackTrace);
        out.number((cause == null ? 0 : HAS_CAUSE) | (details == null ? 0 : HAS_DETAILS));
        if (details != null) {
            out.payload(details);
        }
        if (cause != null) {
            cause.write(out);
        }
    }

    /** Returns true if only the codec of the workflow can read the texts. */
    public boolean isSealed() {
        return stackTrace.startsWith(SEAL);
    }

    /** Returns this failure with its texts encoded. */
    public Failure sealed(Function<String, Payload> encode) {
        if (isSealed()) {
            return this;
        }
        Payload texts = encode.apply(message.length() + ":" + message + stackTrace);
        String seal = SEAL + Base64.getEncoder().encodeToString(texts.bytes()) + " " + texts.encoding();
        return new Failure(type, PROTECTED, seal, cause == null ? null : cause.sealed(encode), details);
    }

    /** Returns this failure with its texts decoded. */
    public Failure opened(Function<Payload, String> decode) {
        if (!isSealed()) {
            return this;
        }
        int end = stackTrace.indexOf(' ', SEAL.length());
        byte[] bytes = Base64.getDecoder().decode(stackTrace.substring(SEAL.length(), end));
        String texts = decode.apply(new Payload(stackTrace.substring(end + 1), bytes));
        int colon = texts.indexOf(':');
        int length = Integer.parseInt(texts.substring(0, colon));
        return new Failure(
                type,
                texts.substring(colon + 1, colon + 1 + length),
                texts.substring(colon + 1 + length),
                cause == null ? null : cause.opened(decode),
                details);
    }

    /** Returns the failure as an exception with its stack trace and causes, but without details that can be read. */
    public RecordedException asException() {
        return asException((payload, type) -> null);
    }

    /**
     * Returns the failure as an exception with its stack trace, causes and details, for use as a cause.
     *
     * @param decode decodes details as a type
     */
    public RecordedException asException(BiFunction<Payload, Class<?>, @Nullable Object> decode) {
        return asException(isSealed() ? "" : stackTrace, decode);
    }

    private RecordedException asException(String text, BiFunction<Payload, Class<?>, @Nullable Object> decode) {
        int next = text.indexOf(CAUSED_BY);
        String ofCause = next < 0 ? "" : text.substring(next + CAUSED_BY.length());
        RecordedException why = cause == null ? null : cause.asException(ofCause, decode);
        return details == null
                ? new RecordedException(type, message, text, why)
                : new StoredException(type, message, text, why, details, decode);
    }

    /** Returns the type, message and place in the user's code, as sentences with a full stop. */
    public String sentence() {
        String what = toString();
        return asException()
                .place()
                .map(line -> what + (what.endsWith(".") ? " At " : ", at ") + line + ".")
                .orElseGet(() -> Sentence.of(what));
    }

    @Override
    public String toString() {
        boolean isTold = cause == null || isSealed() || message.contains(cause.message);
        return type + ": " + message + (isTold ? "" : ", caused by " + cause);
    }
}
