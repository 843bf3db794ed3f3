package dev.dormouse.cli.term;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A table with headings. In a pipe cells are printed completely. On a terminal the widest columns shrink until a row fits on
 * a line.
 */
public final class TextTable {
    private static final int GAP = 2;
    private static final int MIN_COLUMN = 8;

    private final List<String> headings;
    private final List<List<String>> rows = new ArrayList<>();
    private final List<UnaryOperator<String>> paints;

    public TextTable(String... headings) {
        this.headings = List.of(headings);
        this.paints = new ArrayList<>(this.headings.stream()
                .map(heading -> UnaryOperator.<String>identity())
                .toList());
    }

    /** Sets the color of a column. */
    public TextTable paint(String heading, UnaryOperator<String> color) {
        paints.set(headings.indexOf(heading), color);
        return this;
    }

    public void row(String... cells) {
        if (cells.length != headings.size()) {
            throw new IllegalArgumentException("Expected " + headings.size() + " cells, but got " + cells.length + ".");
        }
        rows.add(Arrays.stream(cells).map(Text::clean).toList());
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    void print(Screen screen, String indent) {
        int[] widths = widths(screen, indent.length());
        screen.line(indent + screen.style().dim(line(headings, widths, false)));
        rows.forEach(row -> screen.line(indent + line(row, widths, true)));
    }

    private int[] widths(Screen screen, int indent) {
        int[] widths = new int[headings.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = headings.get(i).length();
            for (List<String> row : rows) {
                widths[i] = Math.max(widths[i], TerminalStyle.width(row.get(i)));
            }
        }
        if (screen.isTerminal()) {
            shrink(widths, screen.width() - indent - GAP * (widths.length - 1));
        }
        return widths;
    }

    private static void shrink(int[] widths, int room) {
        int excess = Arrays.stream(widths).sum() - room;
        while (excess > 0) {
            int widest = 0;
            for (int i = 1; i < widths.length; i++) {
                widest = widths[i] > widths[widest] ? i : widest;
            }
            if (widths[widest] <= MIN_COLUMN) {
                return;
            }
            widths[widest]--;
            excess--;
        }
    }

    private String line(List<String> cells, int[] widths, boolean painted) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = Text.cut(cells.get(i), widths[i]);
            int padding = i == widths.length - 1 ? 0 : widths[i] - TerminalStyle.width(cell) + GAP;
            line.append(painted ? paints.get(i).apply(cell) : cell).append(" ".repeat(padding));
        }
        return line.toString().stripTrailing();
    }
}
