package dev.dormouse.demo.screen;

/** A line of the screen, built from left to right; text that does not fit is cut off. */
final class ScreenLine {
    private final int width;
    private final boolean hasColors;
    private final StringBuilder text = new StringBuilder();
    private int length;

    ScreenLine(int width, boolean hasColors) {
        this.width = width;
        this.hasColors = hasColors;
    }

    ScreenLine add(TextStyle style, String part) {
        String visible = part.substring(0, Math.min(part.length(), width - length));
        length += visible.length();
        text.append(hasColors ? style.apply(visible) : visible);
        return this;
    }

    /** Continues at this column, or after one space if the line is already longer. */
    ScreenLine at(int column) {
        return add(TextStyle.PLAIN, " ".repeat(Math.max(1, column - length)));
    }

    /** Adds text that ends at this column. */
    ScreenLine upTo(int column, TextStyle style, String part) {
        return at(column - part.length()).add(style, part);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
