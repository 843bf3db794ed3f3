package dev.dormouse.internal.history;

import java.util.Set;

/**
 * The exceptions that usually mean a mistake in the code, so that another attempt fails in the same way. Exceptions that
 * often come from the outside, such as {@code IllegalStateException}, are not among them. Only names are compared, as
 * recorded failures contain no classes.
 */
public final class ProgrammingError {
    /** The number of equal failures in a row from which on a step looks like a bug. */
    public static final int MANY = 3;

    private static final Set<String> TYPES = Set.of(
            "java.lang.NullPointerException",
            "java.lang.ClassCastException",
            "java.lang.IllegalArgumentException",
            "java.lang.IndexOutOfBoundsException",
            "java.lang.ArrayIndexOutOfBoundsException",
            "java.lang.StringIndexOutOfBoundsException",
            "java.lang.ArithmeticException",
            "java.lang.ArrayStoreException",
            "java.lang.NegativeArraySizeException",
            "java.lang.NumberFormatException",
            "java.lang.UnsupportedOperationException",
            "java.lang.StackOverflowError",
            "java.lang.LinkageError",
            "java.lang.NoClassDefFoundError",
            "java.lang.NoSuchMethodError",
            "java.lang.NoSuchFieldError",
            "java.lang.AbstractMethodError",
            "java.lang.IllegalAccessError",
            "java.lang.IncompatibleClassChangeError",
            "java.lang.ExceptionInInitializerError",
            "java.lang.UnsatisfiedLinkError",
            "java.lang.ClassFormatError",
            "java.lang.VerifyError");

    private ProgrammingError() {}

    /** Returns true if the exception usually means a mistake in the code. Its causes do not count. */
    public static boolean is(Failure failure) {
        return TYPES.contains(failure.type());
    }

    /**
     * Returns true if both failures have the same type and were thrown at the same place. Messages may differ, as they
     * often contain ids. The place of a failure that a codec protects is unknown, so then the types decide.
     */
    public static boolean isSame(Failure one, Failure other) {
        return one.type().equals(other.type())
                && (one.isSealed() || other.isSealed() || place(one).equals(place(other)));
    }

    private static String place(Failure failure) {
        return failure.stackTrace()
                .lines()
                .filter(line -> line.startsWith("\tat "))
                .findFirst()
                .orElse("");
    }
}
