package dev.dormouse.error;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An exception that was thrown earlier, perhaps in another process, as it was recorded: the name of its class, its
 * message, the lines of its stack trace and its causes. The class itself is never loaded. An {@link
 * ApplicationException} is recorded by the type that it was given instead of the name of its class, and with its details.
 */
public class RecordedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A stack frame as {@link StackTraceElement#toString} writes it: loader, module, class, method, file and line. */
    private static final Pattern FRAME = Pattern.compile("\tat (?:[^(]*/)?([^(/]+)\\.([^(/.]+)\\(([^)]*)\\)");

    private static final Pattern NOT_USERS = Pattern.compile(
            "(java|jdk|sun)\\..*|dev\\.dormouse\\.((internal|store)\\..*|((codec|error|inspect|plugin|schedule|timer)\\.)?[^.]+)");

    private final String type;
    private final String stackTraceText;
    private final transient @Nullable Object details;

    /**
     * Creates an exception from its recorded texts.
     *
     * @param type the name of its class, or the type of an {@link ApplicationException}
     * @param stackTraceText the output of {@link Throwable#printStackTrace()}, causes included; empty if it is not
     *     known
     * @param cause the recorded cause; null if there was none
     */
    public RecordedException(String type, String message, String stackTraceText, @Nullable RecordedException cause) {
        this(type, message, stackTraceText, cause, null);
    }

    private RecordedException(
            String type,
            String message,
            String stackTraceText,
            @Nullable RecordedException cause,
            @Nullable Object details) {
        super(message, cause);
        this.type = type;
        this.stackTraceText = stackTraceText;
        this.details = details;
        setStackTrace(frames(stackTraceText));
    }

    /** Returns {@code problem} as it would be recorded, without its stack trace. */
    public static RecordedException of(Throwable problem) {
        if (problem instanceof RecordedException recorded) {
            return recorded;
        }
        Throwable cause = problem.getCause();
        ApplicationException typed = problem instanceof ApplicationException application ? application : null;
        return new RecordedException(
                typed == null ? problem.getClass().getName() : typed.type(),
                String.valueOf(problem.getMessage()),
                "",
                cause == null || cause == problem ? null : of(cause),
                typed == null ? null : typed.details());
    }

    /** Returns the exception's own frames, without those of its causes. Suppressed exceptions are left out too. */
    private static StackTraceElement[] frames(String text) {
        List<StackTraceElement> frames = new ArrayList<>();
        for (String line : text.lines().toList()) {
            Matcher frame = FRAME.matcher(line);
            if (line.startsWith("Caused by: ")) {
                break;
            } else if (frame.matches()) {
                frames.add(frame(frame));
            }
        }
        return frames.toArray(new StackTraceElement[0]);
    }

    private static StackTraceElement frame(Matcher line) {
        String place = line.group(3);
        int colon = place.lastIndexOf(':');
        boolean hasLine = colon > 0 && place.substring(colon + 1).matches("\\d{1,9}");
        return new StackTraceElement(
                line.group(1),
                line.group(2),
                hasLine ? place.substring(0, colon) : place,
                hasLine ? Integer.parseInt(place.substring(colon + 1)) : -1);
    }

    /** Returns the name of the exception's class, or the type of an {@link ApplicationException}. */
    public final String type() {
        return type;
    }

    /**
     * Returns the details that the code has attached to this exception ({@link ApplicationException#withDetails}), read
     * as a {@code type}. Empty if it has none. The details of causes are not included; see {@link
     * DormouseException#details}.
     *
     * @param type a class without type parameters; for a list or map, attach a record that contains it
     * @throws DormouseException PAYLOAD_DOES_NOT_FIT if the details are not of the type; BAD_ARGUMENT for a class with
     *     type parameters
     */
    public <T> Optional<T> details(Class<T> type) {
        if (details != null && !type.isInstance(details)) {
            throw new DormouseException(
                    ErrorCode.PAYLOAD_DOES_NOT_FIT,
                    "Expected details that can be read as " + type.getName() + ", but they are an instance of "
                            + details.getClass().getName() + ". Pass the class of the attached value.");
        }
        return Optional.ofNullable(type.cast(details));
    }

    /**
     * Returns the stack trace as it was printed, causes included, cut to a bounded length; empty if it is not known.
     */
    public final String stackTraceText() {
        return stackTraceText;
    }

    /** Returns the class names and messages of the exception and of the causes that its message does not contain. */
    public final String summary() {
        RecordedException cause = getCause();
        if (cause == null || String.valueOf(getMessage()).contains(String.valueOf(cause.getMessage()))) {
            return toString();
        }
        return this + ", caused by " + cause.summary();
    }

    @Override
    public final synchronized @Nullable RecordedException getCause() {
        return (RecordedException) super.getCause();
    }

    /**
     * Returns the line that threw the exception, such as {@code com.acme.Shop.pay(Shop.java:12)}: the first frame
     * outside of the JDK and Dormouse, or else the first frame. Empty if it is not known.
     */
    public final Optional<String> place() {
        List<StackTraceElement> lines = List.of(getStackTrace());
        return lines.stream()
                .filter(line -> !NOT_USERS.matcher(line.getClassName()).matches())
                .findFirst()
                .or(() -> lines.stream().findFirst())
                .map(StackTraceElement::toString);
    }

    /** Returns this object unchanged: the place where it is created is irrelevant. */
    @Override
    public final synchronized Throwable fillInStackTrace() {
        return this;
    }

    /** Returns the same text as the original exception, whose class differs. */
    @Override
    @SuppressWarnings("OverrideThrowableToString")
    public final String toString() {
        return type + ": " + getMessage();
    }
}
