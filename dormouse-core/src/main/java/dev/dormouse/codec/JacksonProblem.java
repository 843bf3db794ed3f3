package dev.dormouse.codec;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.InvalidTypeIdException;
import tools.jackson.databind.exc.MismatchedInputException;

/**
 * The part of a Jackson problem that may be shown. Payloads must not appear in errors and logs, but Jackson's messages
 * repeat parts of the value, and so do exceptions from the user's constructors and getters. Therefore only kinds, types
 * and paths are shown, here and in the {@link #cause}. Messages about a class, such as one without a suitable
 * constructor, are shown up to the value at their end.
 */
final class JacksonProblem {

    /** A substitute for the real cause, with its stack trace but without its message. */
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

    /** The value at the end of a message. A parenthesis that begins with "no" is about the class and is kept. */
    private static final Pattern VALUE = Pattern.compile("(?s) value \\((?!no ).*");

    private final Throwable problem;

    JacksonProblem(Throwable problem) {
        this.problem = problem;
    }

    /** Returns why a value could not be written, without a full stop. */
    String whileWriting() {
        return problem instanceof InvalidDefinitionException ofType ? firstLine(ofType) + path(ofType) : whileReading();
    }

    /** Returns why a payload could not be read, without a full stop. */
    String whileReading() {
        if (problem instanceof StackOverflowError) {
            return "it is nested too deeply, or contains itself";
        } else if (problem instanceof StreamConstraintsException limit) {
            return firstLine(limit);
        } else if (isAboutClass() && problem instanceof JacksonException ofClass) {
            return VALUE.matcher(firstLine(ofClass)).replaceFirst(" value") + path(ofClass);
        } else if (problem instanceof JacksonException jackson) {
            return "Jackson reports a " + problem.getClass().getSimpleName() + target() + path(jackson)
                    + location(jackson.getLocation()) + thrown();
        }
        return String.valueOf(problem.getMessage()); // about types and encodings
    }

    /** Returns true for a problem that every payload of that shape would have, regardless of its values. */
    private boolean isAboutClass() {
        if (problem instanceof InvalidTypeIdException unknown) {
            return unknown.getTypeId() == null;
        } else if (problem instanceof MismatchedInputException mismatch) {
            String message = mismatch.getOriginalMessage();
            return message.startsWith("Cannot construct instance of ") || message.startsWith("Cannot map `null` into ");
        }
        return problem instanceof InvalidDefinitionException;
    }

    /** Returns advice about a payload that could not be read. */
    String whatToDo() {
        Class<?> type = isAboutClass() ? classInQuestion() : null;
        if (type == null || type.isPrimitive()) {
            return "Compare what was sent with the method's signature.";
        } else if (isKotlin(type)) {
            return "It is a Kotlin class: add jackson-module-kotlin, and register new JacksonCodec(mapper) with a mapper "
                    + "that has it.";
        } else if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            return "Name a class, or mark the type with @JsonTypeInfo and its subtypes.";
        }
        return "Make it a record, or give it a constructor without parameters, or one public constructor whose parameters "
                + "are named like its properties, compiled with -parameters.";
    }

    private @Nullable Class<?> classInQuestion() {
        if (problem instanceof InvalidDefinitionException definition && definition.getType() != null) {
            return definition.getType().getRawClass();
        }
        return problem instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
    }

    private static boolean isKotlin(Class<?> type) {
        return Arrays.stream(type.getAnnotations())
                .anyMatch(mark -> mark.annotationType().getName().equals("kotlin.Metadata"));
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

    /** Returns an element of the path. Map keys are content, so they are hidden. */
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

    /** Returns the class and place of an exception from the user's own code, empty if there was none. */
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
