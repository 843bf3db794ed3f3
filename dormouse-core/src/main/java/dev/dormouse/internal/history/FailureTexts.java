package dev.dormouse.internal.history;

/** The form in which messages and stack traces of exceptions are stored. Implementations must be thread-safe. */
@FunctionalInterface
public interface FailureTexts {
    /** Stores them as plain text. */
    FailureTexts PLAIN = Failure::of;

    /** Returns the recorded form of an exception. */
    Failure keep(Throwable problem);
}
