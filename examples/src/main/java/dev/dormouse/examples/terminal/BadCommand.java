package dev.dormouse.examples.terminal;

/** A command that is not understood. */
public final class BadCommand extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadCommand(String message) {
        super(message);
    }
}
