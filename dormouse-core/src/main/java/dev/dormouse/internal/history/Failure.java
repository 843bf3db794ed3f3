package dev.dormouse.internal.history;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.RecordedException;
import dev.dormouse.error.Sentence;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.BufferUnderflowException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The recorded form of an exception: names and texts. The class is never loaded from here.
 *
 * <p>In a sealed failure the texts are encoded by the codec of the workflow and stored in the place of the stack trace.
 * A reader without that codec sees the name of the class and {@link #PROTECTED}.
 *
 * @param stackTrace the printed stack trace, cut to a bounded length
 */
public record Failure(
        String type,
        String message,
        String stackTrace,
        @Nullable Failure cause) implements Writable {
    /** The placeholder for a message that only the codec of the workflow can read. */
    public static final String PROTECTED = "(protected by the codec)";

    private static final String SEAL = "dormouse/sealed ";
    private static final int MAX_TEXT = 8_000;
    private static final int MAX_CAUSES = 8;
    private static final int MAX_CAUSES_READ = 100;
    private static final String CAUSED_BY = "\nCaused by: ";

    public static Failure of(Throwable problem) {
        return of(problem, 0);
    }

    private static Failure of(Throwable problem, int depth) {
        Throwable cause = ask(problem::getCause);
        String message = ask(problem::getMessage);
        String stackTrace = depth == 0 ? ask(() -> print(problem)) : "";
        return new Failure(
                whole(
                        problem instanceof RecordedException recorded
                                ? recorded.type()
                                : problem.getClass().getName()),
                cut(String.valueOf(message)),
                cut(String.valueOf(stackTrace)),
                cause == null || cause == problem || depth == MAX_CAUSES ? null : of(cause, depth + 1));
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
        return new Failure(in.text(), in.text(), in.text(), in.number() == 0 ? null : read(in, causesLeft - 1));
    }

    @Override
    public void write(EventWriter out) {
        out.text(type);
        out.text(message);
        out.text(stackTrace);
        out.optional(cause);
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
        return new Failure(type, PROTECTED, seal, cause == null ? null : cause.sealed(encode));
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
                cause == null ? null : cause.opened(decode));
    }

    /** Returns the failure as an exception with its stack trace and causes, for use as a cause. */
    public RecordedException asException() {
        return asException(isSealed() ? "" : stackTrace);
    }

    private RecordedException asException(String text) {
        int next = text.indexOf(CAUSED_BY);
        String ofCause = next < 0 ? "" : text.substring(next + CAUSED_BY.length());
        return new RecordedException(type, message, text, cause == null ? null : cause.asException(ofCause));
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
