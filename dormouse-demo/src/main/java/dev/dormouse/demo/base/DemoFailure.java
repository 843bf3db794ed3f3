package dev.dormouse.demo.base;

/** A failure of the demo. */
public final class DemoFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DemoFailure(String message) {
        super(message);
    }

    /** Throws unless {@code holds}. */
    public static void unless(boolean holds, String message) {
        if (!holds) {
            throw new DemoFailure(message);
        }
    }
}
