package dev.dormouse.cli.term;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A chart of a {@link RunTimeline}: a line for each row, with its name, its bars on a common time axis, and its
 * duration. The time between two attempts is dotted. Pending waits are drawn up to their deadline.
 */
public final class TimelineChart {
    private static final int NAME = 26;
    private static final int TEXT = 30;
    private static final int MIN_CHART = 24;
    private static final int TICK = 14;

    private final RunTimeline timeline;
    private final Screen screen;
    private final Instant now;
    private final ChartGlyphs glyphs;
    private final int nameWidth;
    private final TimeScale scale;

    public TimelineChart(RunTimeline timeline, Screen screen) {
        this.timeline = timeline;
        this.screen = screen;
        this.now = screen.times().now();
        this.glyphs = screen.style().isAscii() ? ChartGlyphs.ASCII : ChartGlyphs.UNICODE;
        this.nameWidth = timeline.rows().stream().mapToInt(row -> TerminalStyle.width(label(row))).max().stream()
                .map(longest -> Math.min(longest, NAME))
                .findFirst()
                .orElse(0);
        int columns = Math.max(screen.width() - nameWidth - TEXT - 4, MIN_CHART);
        this.scale = TimeScale.of(instants(timeline, now), columns);
    }

    private static Stream<Instant> instants(RunTimeline timeline, Instant now) {
        boolean isOpen = timeline.rows().stream()
                .flatMap(row -> row.bars().stream())
                .anyMatch(bar -> bar.to().isEmpty() || bar.to().get().isAfter(now));
        Instant last = timeline.instants().max(Instant::compareTo).orElse(now);
        return isOpen || last.isAfter(now) ? Stream.concat(timeline.instants(), Stream.of(now)) : timeline.instants();
    }

    public void draw() {
        axis();
        timeline.rows().forEach(this::row);
        marks();
        legend();
    }

    // ---- axis

    private void axis() {
        StringBuilder ticks = new StringBuilder(" ".repeat(scale.columns() + TEXT));
        StringBuilder line = new StringBuilder(glyphs.axis().repeat(scale.columns()));
        String last = "";
        for (int column = 0; column < scale.columns(); column += Math.max(TICK, scale.columns() / 6)) {
            Instant at = scale.at(column);
            String label = screen.times().tick(at, scale.span());
            String shown = label.equals(last) ? screen.times().fineTick(at) : label;
            ticks.replace(column, column + shown.length(), shown);
            line.replace(column, column + 1, glyphs.tick());
            last = label;
        }
        String gap = " ".repeat(nameWidth + 2);
        screen.line(screen.style()
                .dim(gap + ticks.toString().stripTrailing() + " "
                        + screen.times().zoneName()));
        screen.line(screen.style().dim(gap + line));
    }

    // ---- rows

    private static String label(RunTimeline.Row row) {
        String name = Text.clean(row.name());
        if (name.isEmpty()) {
            return row.kind();
        }
        boolean isNamed = row.kind().equals("run") || row.kind().equals("step") || name.startsWith(row.kind());
        return isNamed ? name : row.kind() + " " + name;
    }

    private void row(RunTimeline.Row row) {
        Canvas canvas = new Canvas(scale.columns(), screen.style());
        List<RunTimeline.Bar> bars = row.bars();
        for (int i = 1; i < bars.size(); i++) {
            canvas.fill(column(end(bars.get(i - 1))), column(bars.get(i).from()), glyphs.pause(), ChartColor.DIM);
        }
        timeline.marks().forEach(mark -> canvas.put(column(mark.at()), glyphs.mark(), ChartColor.RED));
        bars.forEach(bar -> bar(canvas, bar, row.isWait() ? glyphs.waiting() : glyphs.of(bar.state())));
        String name = Text.cut(label(row), nameWidth);
        String padding = " ".repeat(nameWidth - TerminalStyle.width(name) + 2);
        screen.line((name + padding + canvas.text() + "  " + text(row)).stripTrailing());
    }

    private void bar(Canvas canvas, RunTimeline.Bar bar, String glyph) {
        int from = column(bar.from());
        int to = Math.max(column(end(bar)), from + 1);
        canvas.fill(from, to, glyph, ChartColor.of(bar.state()));
        if (bar.state().equals("failed")) {
            canvas.put(to - 1, glyphs.failed(), ChartColor.RED);
        }
        if (bar.to().isEmpty()) {
            canvas.put(to - 1, glyphs.open(), ChartColor.of(bar.state()));
        }
    }

    private int column(Instant instant) {
        return scale.column(instant);
    }

    private Instant end(RunTimeline.Bar bar) {
        return bar.to().orElse(now.isAfter(bar.from()) ? now : bar.from());
    }

    private String text(RunTimeline.Row row) {
        if (row.bars().isEmpty()) {
            return Text.cut(Text.clean(row.result()), TEXT);
        }
        RunTimeline.Bar first = row.bars().get(0);
        RunTimeline.Bar last = row.bars().get(row.bars().size() - 1);
        String time = last.isWait() && end(last).isAfter(now)
                ? screen.times().relative(end(last))
                : TimeFormat.span(Duration.between(first.from(), end(last)));
        int attempts =
                row.bars().stream().mapToInt(RunTimeline.Bar::attempt).max().orElse(1);
        String more = (attempts > 1 ? ", " + attempts + " attempts" : "") + result(row, last);
        return screen.style().dim(Text.cut(time + more, TEXT));
    }

    private String result(RunTimeline.Row row, RunTimeline.Bar last) {
        String text = row.result().isEmpty() ? last.note() : row.result();
        return text.isEmpty() ? "" : " " + glyphs.arrow() + " " + Text.clean(text);
    }

    // ---- below

    private void marks() {
        timeline.marks()
                .forEach(mark -> screen.line(screen.style().red(glyphs.mark()) + " "
                        + screen.times().tick(mark.at(), scale.span()) + "  "
                        + mark.kind().toLowerCase(Locale.ROOT) + ": "
                        + Text.clean(mark.text())));
    }

    private void legend() {
        String words = glyphs.of("done") + " done  " + glyphs.failed() + " failed  " + glyphs.of("running")
                + glyphs.open()
                + " running  " + glyphs.of("waiting") + " waiting  " + glyphs.pause() + " until the next attempt"
                + (scale.isLinear() ? "" : "   (the axis is not to scale)");
        screen.line("");
        screen.line(screen.style().dim(words));
    }
}
