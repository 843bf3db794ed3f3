package dev.dormouse.error;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The base class of Dormouse exceptions. A message has the form {@code [DM1003] Expected …, but …} and then says what
 * to do. Decide by {@link #code()} or by type, never by the text.
 */
public class DormouseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** More causes than an exception has, unless they form a cycle. */
    private static final int MOST_CAUSES = 100;

    private final ErrorCode code;

    /**
     * Creates an exception without a cause.
     *
     * @param message the message without the code, which is put before it
     */
    public DormouseException(ErrorCode code, String message) {
        this(code, message, null);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message the message without the code, which is put before it
     * @param cause the cause; null for none
     */
    public DormouseException(ErrorCode code, String message, @Nullable Throwable cause) {
        super("[" + code.label() + "] " + message, cause);
        this.code = code;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    /** Returns the error code. */
    public final ErrorCode code() {
        return code;
    }

    /**
     * Returns true if this exception or one of its causes is a {@code type}. Exceptions of steps, children and runs are
     * recorded by the names of their classes, so for these only exactly this class counts, not its subclasses:
     *
     * <pre>{@code
     * } catch (ActivityFailedException failed) {
     *     if (failed.isCausedBy(CardDeclinedException.class)) { … }
     * }</pre>
     */
    public final boolean isCausedBy(Class<? extends Throwable> type) {
        return causes().stream()
                .anyMatch(cause -> cause instanceof RecordedException recorded
                        ? recorded.type().equals(type.getName())
                        : type.isInstance(cause));
    }

    /**
     * Returns true if this exception or one of its causes is an {@link ApplicationException} of {@code type}, or was
     * recorded under this name:
     *
     * <pre>{@code
     * } catch (ActivityFailedException failed) {
     *     if (failed.isCausedBy("CardDeclined")) { … }
     * }</pre>
     */
    public final boolean isCausedBy(String type) {
        return causes().stream()
                .filter(DormouseException::mayHaveDetails)
                .anyMatch(cause -> RecordedException.of(cause).type().equals(type));
    }

    /**
     * Returns the details of the first exception that has details, starting with this exception and followed by its
     * causes, read as a {@code type}. Empty if none has. Code attaches them with {@link
     * ApplicationException#withDetails}.
     *
     * @param type a class without type parameters; for a list or map, attach a record that contains it
     * @throws DormouseException PAYLOAD_DOES_NOT_FIT if the details are not of the type; BAD_ARGUMENT for a class with
     *     type parameters
     */
    public final <T> Optional<T> details(Class<T> type) {
        return causes().stream()
                .filter(DormouseException::mayHaveDetails)
                .flatMap(cause -> RecordedException.of(cause).details(type).stream())
                .findFirst();
    }

    private static boolean mayHaveDetails(Throwable cause) {
        return cause instanceof RecordedException || cause instanceof ApplicationException;
    }

    /** Returns this exception, its cause, the cause of that, and so on. */
    private List<Throwable> causes() {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable at = this; at != null && causes.size() < MOST_CAUSES; at = at.getCause()) {
            causes.add(at);
        }
        return causes;
    }
}
