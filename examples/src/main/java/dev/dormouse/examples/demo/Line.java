package dev.dormouse.examples.demo;

/** A line of the screen, from left to right; what does not fit is cut off. */
final class Line {
    private final int width;
    private final boolean hasColours;
    private final StringBuilder text = new StringBuilder();
    private int length;

    Line(int width, boolean hasColours) {
        this.width = width;
        this.hasColours = hasColours;
    }

    Line add(Style style, String part) {
        String visible = part.substring(0, Math.min(part.length(), width - length));
        length += visible.length();
        text.append(hasColours ? style.apply(visible) : visible);
        return this;
    }

    /** Goes on at this column, or leaves one free if it is already there. */
    Line at(int column) {
        return add(Style.PLAIN, " ".repeat(Math.max(1, column - length)));
    }

    /** Something that ends at this column. */
    Line upTo(int column, Style style, String part) {
        return at(column - part.length()).add(style, part);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
