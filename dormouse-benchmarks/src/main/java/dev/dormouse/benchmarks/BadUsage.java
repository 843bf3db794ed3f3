package dev.dormouse.benchmarks;

/** An invalid command line; the message says why. */
final class BadUsage extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadUsage(String message) {
        super(message);
    }
}
