package dev.dormouse.benchmarks.report;

import dev.dormouse.benchmarks.measure.BenchResults;
import dev.dormouse.benchmarks.measure.Spread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A chart of how many times better Dormouse is than each other system: dots with whiskers on a logarithmic axis. Dots
 * right of the line favor Dormouse. Readable on light and on dark backgrounds.
 */
public final class RatioChart {
    private static final int LEFT = 290;
    private static final int WIDTH = 900;
    private static final int ROW = 18;
    private static final int TOP = 56;

    private static final String STYLE = """
            text { font: 12px system-ui, sans-serif; fill: #24292f }
            .title { font-size: 15px; font-weight: 600 }
            .dim { fill: #6e7781 }
            .tick { text-anchor: middle }
            .grid { stroke: #d0d7de; stroke-width: 1 }
            .one { stroke: #24292f; stroke-width: 1.5 }
            .ours { fill: #1a7f37; stroke: #1a7f37 }
            .theirs { fill: #bc4c00; stroke: #bc4c00 }
            .whisker { stroke-width: 2; stroke-linecap: round }
            @media (prefers-color-scheme: dark) {
              text { fill: #e6edf3 }
              .dim { fill: #8b949e }
              .grid { stroke: #30363d }
              .one { stroke: #e6edf3 }
              .ours { fill: #3fb950; stroke: #3fb950 }
              .theirs { fill: #f0883e; stroke: #f0883e }
            }
            """;

    private final List<Row> rows;
    private final LogAxis axis;

    private RatioChart(List<Row> rows) {
        this.rows = rows;
        this.axis = LogAxis.over(rows.stream().map(Row::ratio).toList(), LEFT, WIDTH - 90);
    }

    public static void write(Path file, BenchResults results, String ours) {
        try {
            Files.writeString(file, text(results, ours));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(BenchResults results, String ours) {
        List<Row> rows = new ArrayList<>();
        for (String scenario : results.scenarios()) {
            for (String system : results.systems()) {
                if (!system.equals(ours)) {
                    results.advantage(scenario, ours, system)
                            .ifPresent(ratio -> rows.add(new Row(scenario, system, ratio)));
                }
            }
        }
        return new RatioChart(rows).draw(ours);
    }

    private String draw(String ours) {
        int bottom = TOP + ROW * rows.size() + 6;
        Svg svg = new Svg(WIDTH, bottom + 30, "Ratios of " + ours + " to other systems");
        svg.style(STYLE);
        svg.text("title", 10, 20, "How many times better " + ours + " is");
        svg.text("dim", 10, 38, "dot: median of the rounds, line: smallest to largest; left of 1× the other is better");
        for (double tick : axis.ticks()) {
            double x = axis.place(tick);
            svg.line(tick == 1 ? "one" : "grid", x, TOP - 8, x, bottom);
            svg.text("dim tick", x, bottom + 16, LogAxis.label(tick));
        }
        for (int i = 0; i < rows.size(); i++) {
            boolean isFirst =
                    i == 0 || !rows.get(i - 1).scenario().equals(rows.get(i).scenario());
            draw(svg, rows.get(i), isFirst, TOP + ROW * i + ROW / 2.0);
        }
        return svg.toString();
    }

    private void draw(Svg svg, Row row, boolean isFirst, double y) {
        Spread ratio = row.ratio();
        String side = ratio.median() < 1 ? "theirs" : "ours";
        if (isFirst) {
            svg.text("name", 10, y + 4, row.scenario());
        }
        svg.text("dim", LEFT - 100, y + 4, row.system());
        svg.line("whisker " + side, axis.place(ratio.min()), y, axis.place(ratio.max()), y);
        svg.dot(side, axis.place(ratio.median()), y);
        svg.text("name", WIDTH - 75, y + 4, FigureFormat.text(ratio.median()) + "×");
    }

    private record Row(String scenario, String system, Spread ratio) {}
}
