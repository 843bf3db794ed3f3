package dev.dormouse.examples.travel;

/** There is none today, however often one asks. */
public class NoCarLeft extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NoCarLeft() {
        super("there is no car left");
    }
}
