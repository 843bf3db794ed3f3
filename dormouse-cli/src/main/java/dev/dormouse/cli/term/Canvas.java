package dev.dormouse.cli.term;

import java.util.Arrays;

/** One line of coloured cells. */
final class Canvas {
    private final String[] cells;
    private final Paint[] paints;
    private final Style style;

    Canvas(int columns, Style style) {
        this.cells = new String[columns];
        this.paints = new Paint[columns];
        this.style = style;
        Arrays.fill(cells, " ");
        Arrays.fill(paints, Paint.NONE);
    }

    /** From a column on, and before another one. */
    void fill(int from, int to, String glyph, Paint paint) {
        for (int column = from; column < to; column++) {
            put(column, glyph, paint);
        }
    }

    void put(int column, String glyph, Paint paint) {
        if (column >= 0 && column < cells.length) {
            cells[column] = glyph;
            paints[column] = paint;
        }
    }

    String text() {
        StringBuilder text = new StringBuilder();
        for (int from = 0, to; from < cells.length; from = to) {
            to = from + 1;
            while (to < cells.length && paints[to] == paints[from]) {
                to++;
            }
            text.append(paints[from].apply(String.join("", Arrays.copyOfRange(cells, from, to)), style));
        }
        return text.toString();
    }
}
