package dev.dormouse.examples.terminal;

/** Nobody can do what was typed. */
public final class BadCommand extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadCommand(String message) {
        super(message);
    }
}
