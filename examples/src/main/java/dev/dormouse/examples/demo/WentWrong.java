package dev.dormouse.examples.demo;

/** The story did not go as it is told. */
final class WentWrong extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WentWrong(String message) {
        super(message);
    }

    /** Goes on only if this holds. */
    static void unless(boolean holds, String message) {
        if (!holds) {
            throw new WentWrong(message);
        }
    }
}
