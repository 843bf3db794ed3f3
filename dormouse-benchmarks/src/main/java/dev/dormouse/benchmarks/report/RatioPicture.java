package dev.dormouse.benchmarks.report;

import dev.dormouse.benchmarks.measure.Results;
import dev.dormouse.benchmarks.measure.Spread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How many times better we are than each other system, as dots with whiskers on a logarithmic axis. Right of the line is
 * ours, left of it theirs. Readable on light and on dark ground.
 */
public final class RatioPicture {
    private static final int LEFT = 250;
    private static final int WIDTH = 860;
    private static final int ROW = 18;
    private static final int TOP = 56;

    private static final String STYLE = """
            <style>
              text { font: 12px system-ui, sans-serif; fill: #24292f }
              .title { font-size: 15px; font-weight: 600 }
              .dim { fill: #6e7781 }
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
            </style>
            """;

    private final List<Row> rows;
    private final LogAxis axis;

    private RatioPicture(List<Row> rows) {
        this.rows = rows;
        this.axis = LogAxis.over(rows.stream().map(Row::ratio).toList(), LEFT, WIDTH - 90);
    }

    public static void write(Path file, Results results, String ours) {
        try {
            Files.writeString(file, text(results, ours));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(Results results, String ours) {
        List<Row> rows = new ArrayList<>();
        for (String scenario : results.scenarios()) {
            for (String system : results.systems()) {
                if (!system.equals(ours)) {
                    results.advantage(scenario, ours, system)
                            .ifPresent(ratio -> rows.add(new Row(scenario, system, ratio)));
                }
            }
        }
        return new RatioPicture(rows).draw(ours);
    }

    private String draw(String ours) {
        int bottom = TOP + ROW * rows.size() + 6;
        StringBuilder svg = new StringBuilder();
        svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n"
                .formatted(WIDTH, bottom + 30, "Ratios of " + escape(ours) + " to other systems"));
        svg.append(STYLE);
        text(svg, 10, 20, "title", "How many times better " + ours + " is");
        text(
                svg,
                10,
                38,
                "dim",
                "dot: median of the rounds, line: smallest to largest; left of 1× the other is better");
        for (double tick : axis.ticks()) {
            grid(svg, tick, bottom);
        }
        for (int i = 0; i < rows.size(); i++) {
            row(svg, i);
        }
        return svg.append("</svg>\n").toString();
    }

    private void grid(StringBuilder svg, double tick, int bottom) {
        double x = axis.place(tick);
        svg.append("<line class=\"%s\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>%n"
                .formatted(tick == 1 ? "one" : "grid", x, TOP - 8, x, bottom));
        text(svg, x - 8, bottom + 16, "dim", Numbers.text(tick) + "×");
    }

    private void row(StringBuilder svg, int number) {
        Row row = rows.get(number);
        double y = TOP + ROW * number + ROW / 2.0;
        Spread ratio = row.ratio();
        String side = ratio.median() < 1 ? "theirs" : "ours";
        boolean isFirst = number == 0 || !rows.get(number - 1).scenario().equals(row.scenario());
        if (isFirst) {
            text(svg, 10, y + 4, "", row.scenario());
        }
        text(svg, LEFT - 100, y + 4, "dim", row.system());
        svg.append("<line class=\"whisker %s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>%n"
                .formatted(side, axis.place(ratio.min()), y, axis.place(ratio.max()), y));
        svg.append("<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>%n"
                .formatted(side, axis.place(ratio.median()), y));
        text(svg, WIDTH - 75, y + 4, "", Numbers.text(ratio.median()) + "×");
    }

    private static void text(StringBuilder svg, double x, double y, String style, String content) {
        svg.append("<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>%n".formatted(style, x, y, escape(content)));
    }

    private static String escape(String content) {
        return content.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private record Row(String scenario, String system, Spread ratio) {}
}
