package dev.dormouse.history;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.RecordedException;
import dev.dormouse.error.Sentence;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An exception as it is kept: by name and text. The class is never loaded again from here.
 *
 * <p>A sealed one has its texts encoded by the codec of the workflow. It keeps them in the place of the stack trace, so
 * that a reader without that codec sees the name of the class and {@link #PROTECTED}.
 *
 * @param stackTrace as printed, cut to a bounded length
 */
public record Failure(
        String type,
        String message,
        String stackTrace,
        @Nullable Failure cause) {
    /** Stands in the place of a message that only the codec of the workflow can read. */
    public static final String PROTECTED = "(protected by the codec)";

    private static final String SEAL = "dormouse/sealed ";
    private static final int MAX_TEXT = 8_000;
    private static final int MAX_CAUSES = 8;
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

    /** What an exception says of itself; null when even that fails, whatever the exception comes up with instead. */
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

    /** As it comes back from the store: halves of characters are replaced. */
    private static String whole(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    /** Returns true if only the codec of the workflow can read the texts. */
    public boolean isSealed() {
        return stackTrace.startsWith(SEAL);
    }

    /** Returns the same failure with its texts encoded. */
    public Failure sealed(Function<String, Payload> encode) {
        if (isSealed()) {
            return this;
        }
        Payload texts = encode.apply(message.length() + ":" + message + stackTrace);
        String seal = SEAL + Base64.getEncoder().encodeToString(texts.bytes()) + " " + texts.encoding();
        return new Failure(type, PROTECTED, seal, cause == null ? null : cause.sealed(encode));
    }

    /** Returns the same failure with its texts decoded. */
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

    /** The exception again, with its stack trace and its causes, to be somebody's cause. */
    public RecordedException asException() {
        return asException(isSealed() ? "" : stackTrace);
    }

    private RecordedException asException(String text) {
        int next = text.indexOf(CAUSED_BY);
        String ofCause = next < 0 ? "" : text.substring(next + CAUSED_BY.length());
        return new RecordedException(type, message, text, cause == null ? null : cause.asException(ofCause));
    }

    /** What it was, and where in the user's code: one sentence, or several, with a full stop. */
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
