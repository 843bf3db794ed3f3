package dev.dormouse.codec;

import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.MismatchedInputException;

/**
 * What may be said about a problem of Jackson's. Its messages repeat parts of the value, and so do those of exceptions
 * from the user's constructors and getters: payloads have no place in errors and logs. So only kinds, types and places
 * are told, here and in the {@link #cause}.
 */
final class JacksonProblem {

    /** Stands in for the real cause: its stack trace, but not its words. */
    private static final class Withheld extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Withheld(Throwable real) {
            super("by " + real.getClass().getName() + ", whose message is left out because it may repeat the payload");
            setStackTrace(real.getStackTrace());
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    private final Throwable problem;

    JacksonProblem(Throwable problem) {
        this.problem = problem;
    }

    /** Why a value could not be written, without a full stop. */
    String whileWriting() {
        return problem instanceof InvalidDefinitionException ofType
                ? firstLine(ofType) + path(ofType)
                : whileReading();
    }

    /** Why a payload could not be read, without a full stop. */
    String whileReading() {
        if (problem instanceof StackOverflowError) {
            return "it is nested too deeply, or contains itself";
        } else if (problem instanceof StreamConstraintsException limit) {
            return firstLine(limit);
        } else if (problem instanceof JacksonException jackson) {
            return "Jackson reports a " + problem.getClass().getSimpleName() + target() + path(jackson)
                    + location(jackson.getLocation()) + thrown();
        }
        return String.valueOf(problem.getMessage()); // about types and encodings
    }

    private String target() {
        return problem instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null
                ? " for " + mismatch.getTargetType().getTypeName()
                : "";
    }

    private static String path(JacksonException jackson) {
        return jackson.getPath().isEmpty()
                ? ""
                : jackson.getPath().stream()
                        .map(JacksonProblem::step)
                        .collect(Collectors.joining())
                        .replaceFirst("^\\.?", " at ");
    }

    /** Keys of a map are content. */
    private static String step(JacksonException.Reference reference) {
        if (reference.getPropertyName() == null) {
            return "[" + reference.getIndex() + "]";
        }
        Object from = reference.from();
        boolean isMap = from instanceof Map || (from instanceof Class<?> type && Map.class.isAssignableFrom(type));
        return isMap ? "[…]" : "." + reference.getPropertyName();
    }

    private static String location(TokenStreamLocation location) {
        return location == null || location.getLineNr() < 1
                ? ""
                : ", line " + location.getLineNr() + ", column " + location.getColumnNr();
    }

    /** What the user's own code threw meanwhile. */
    private String thrown() {
        Throwable real = root();
        return real instanceof JacksonException
                ? ""
                : ", because of " + real.getClass().getName()
                        + (real.getStackTrace().length == 0 ? "" : " at " + real.getStackTrace()[0]);
    }

    private Throwable root() {
        Throwable root = problem;
        for (int depth = 0; depth < 20 && root.getCause() != null; depth++) {
            root = root.getCause();
        }
        return root;
    }

    Throwable cause() {
        return new Withheld(root());
    }

    private static String firstLine(JacksonException about) {
        return about.getOriginalMessage().lines().findFirst().orElse("");
    }
}
