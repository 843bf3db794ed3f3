package dev.dormouse.cli.term;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A chart of counts over time, as columns of block characters. On narrow terminals neighbors share a column. */
public final class BarChart {
    private static final int HEIGHT = 8;
    private static final String BLOCKS = " ▁▂▃▄▅▆▇█";
    private static final String ASCII = "  ..::|##";

    /** The count from an instant (inclusive) to another (exclusive). */
    public record Bar(Instant from, Instant to, long count) {}

    private final List<Bar> bars;
    private final Screen screen;

    /** @param bars one or more */
    public BarChart(List<Bar> bars, Screen screen) {
        this.bars = bars;
        this.screen = screen;
    }

    public void draw() {
        long[] counts = counts(Math.max(1, Math.min(bars.size(), screen.width() - 10)));
        long most = 0;
        for (long count : counts) {
            most = Math.max(most, count);
        }
        String blocks = screen.style().isAscii() ? ASCII : BLOCKS;
        for (int row = HEIGHT - 1; row >= 0 && most > 0; row--) {
            StringBuilder line = new StringBuilder();
            for (long count : counts) {
                line.append(blocks.charAt(eighths(count, most, row)));
            }
            String label = row == HEIGHT - 1 ? Long.toString(most) : row == 0 ? "0" : "";
            screen.line(String.format("%7s ", label)
                    + screen.style().blue(line.toString().stripTrailing()));
        }
        axis(counts.length);
    }

    private long[] counts(int columns) {
        long[] counts = new long[columns];
        for (int i = 0; i < bars.size(); i++) {
            counts[(int) ((long) i * columns / bars.size())] += bars.get(i).count();
        }
        return counts;
    }

    /** Returns the filled eighths of a cell. A count above zero always fills at least one in the lowest row. */
    private static int eighths(long count, long most, int row) {
        double height = (double) count / most * HEIGHT;
        int filled = (int) Math.round((height - row) * 8);
        int least = row == 0 && count > 0 ? 1 : 0;
        return Math.max(least, Math.min(8, filled));
    }

    private void axis(int columns) {
        Instant from = bars.get(0).from();
        Instant to = bars.get(bars.size() - 1).to();
        Duration span = Duration.between(from, to);
        String first = screen.times().tick(from, span);
        String last = screen.times().tick(to, span) + " " + screen.times().zoneName();
        int gap = Math.max(
                columns
                        - first.length()
                        - last.length()
                        + screen.times().zoneName().length()
                        + 1,
                1);
        screen.line(screen.style().dim(" ".repeat(8) + first + " ".repeat(gap) + last));
    }
}
