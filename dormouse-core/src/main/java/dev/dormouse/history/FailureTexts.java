package dev.dormouse.history;

/** Decides in which form the messages and stack traces of exceptions are kept. Must be safe for use by many threads. */
@FunctionalInterface
public interface FailureTexts {
    /** As plain text. */
    FailureTexts PLAIN = Failure::of;

    /** Returns what is kept of an exception. */
    Failure keep(Throwable problem);
}
