package dev.dormouse.examples.demo;

/** A failure of the demo. */
final class DemoFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DemoFailure(String message) {
        super(message);
    }

    /** Throws unless {@code holds}. */
    static void unless(boolean holds, String message) {
        if (!holds) {
            throw new DemoFailure(message);
        }
    }
}
