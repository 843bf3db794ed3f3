package dev.dormouse.benchmarks.profile;

import dev.dormouse.benchmarks.report.Svg;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A flame graph: methods below their callers, as wide as the time spent in them, colored by the owner of the code. */
final class FlameGraphSvg {
    private static final int WIDTH = 1_180;
    private static final int ROW = 17;
    private static final int TOP = 78;
    private static final int DEEPEST = 30;
    private static final double NARROWEST = 3;
    private static final double LETTER = 6.1;

    private static final String STYLE = """
            text { font: 11px ui-monospace, monospace; fill: #1f2328 }
            .title { font: 600 15px system-ui, sans-serif }
            .dim { font: 12px system-ui, sans-serif; fill: #59636e }
            rect { stroke: #ffffff; stroke-width: 0.7 }
            .load { fill: #d8dee4 } .engine { fill: #7ee2a0 } .store { fill: #b4f1c4 } .driver { fill: #9ecbff }
            .json { fill: #e2c5ff } .kernel { fill: #ffb3a7 } .jdk { fill: #ffe2a8 } .machine { fill: #ffd0e4 }
            .ground { fill: #ffffff; stroke: none }
            """;

    private final FlameNode all;
    private final String title;
    private final String subtitle;
    private int deepest;

    FlameGraphSvg(FlameNode all, String title, String subtitle) {
        this.all = all;
        this.title = title;
        this.subtitle = subtitle;
    }

    String draw() {
        Svg drawing = new Svg(WIDTH, TOP + ROW * (depth(all, 0) + 1) + 8, title);
        drawing.style(STYLE);
        drawing.box("ground", 0, 0, WIDTH, TOP + ROW * (deepest + 2), "");
        drawing.text("title", 10, 22, title);
        drawing.text("dim", 10, 42, subtitle);
        legend(drawing);
        double x = 0;
        for (FlameNode child : all.above()) {
            x += draw(drawing, child, 0, x);
        }
        return drawing.toString();
    }

    private int depth(FlameNode flame, int depth) {
        deepest = Math.max(deepest, depth);
        for (FlameNode child : flame.above()) {
            if (depth < DEEPEST && width(child) >= NARROWEST) {
                depth(child, depth + 1);
            }
        }
        return deepest;
    }

    private double width(FlameNode flame) {
        return (double) WIDTH * flame.samples() / all.samples();
    }

    private double draw(Svg drawing, FlameNode flame, int depth, double x) {
        double width = width(flame);
        if (width >= NARROWEST && depth < DEEPEST) {
            double y = TOP + ROW * depth;
            String name = Frames.brief(flame.name());
            drawing.box(style(CodeOwner.of(flame.name())), x, y, width, ROW, name + ", " + percent(flame.samples()));
            int letters = (int) ((width - 6) / LETTER);
            if (letters > 3) {
                drawing.text("", x + 3, y + 12, name.length() <= letters ? name : name.substring(0, letters - 1) + "…");
            }
            double next = x;
            for (FlameNode child : flame.above()) {
                next += draw(drawing, child, depth + 1, next);
            }
        }
        return width;
    }

    /** Draws the shares of each code owner at the top of the stacks. */
    private void legend(Svg drawing) {
        Map<CodeOwner, Long> shares = new EnumMap<>(CodeOwner.class);
        share(all, shares);
        double x = 10;
        List<Map.Entry<CodeOwner, Long>> most = shares.entrySet().stream()
                .sorted(Map.Entry.<CodeOwner, Long>comparingByValue().reversed())
                .toList();
        for (Map.Entry<CodeOwner, Long> entry : most) {
            String text = entry.getKey().title() + " " + percent(entry.getValue());
            drawing.box(style(entry.getKey()), x, 53, 12, 12, "");
            drawing.text("dim", x + 17, 63, text);
            x += 34 + 6.4 * text.length();
        }
    }

    private static void share(FlameNode flame, Map<CodeOwner, Long> shares) {
        if (flame.own() > 0) {
            shares.merge(CodeOwner.of(flame.name()), flame.own(), Long::sum);
        }
        flame.above().forEach(child -> share(child, shares));
    }

    private String percent(long samples) {
        return String.format(Locale.ROOT, "%.1f %%", 100.0 * samples / all.samples());
    }

    private static String style(CodeOwner room) {
        return room.name().toLowerCase(Locale.ROOT);
    }
}
