package dev.dormouse.benchmarks;

/** The command line does not make sense; the message says why. */
final class BadUsage extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadUsage(String message) {
        super(message);
    }
}
