package dev.dormouse.cli.term;

import java.util.Arrays;

/** A line of colored cells. */
final class Canvas {
    private final String[] cells;
    private final ChartColor[] paints;
    private final TerminalStyle style;

    Canvas(int columns, TerminalStyle style) {
        this.cells = new String[columns];
        this.paints = new ChartColor[columns];
        this.style = style;
        Arrays.fill(cells, " ");
        Arrays.fill(paints, ChartColor.NONE);
    }

    /** Fills the columns from {@code from} (inclusive) to {@code to} (exclusive). */
    void fill(int from, int to, String glyph, ChartColor paint) {
        for (int column = from; column < to; column++) {
            put(column, glyph, paint);
        }
    }

    void put(int column, String glyph, ChartColor paint) {
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
