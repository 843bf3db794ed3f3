package dev.dormouse.benchmarks.report;

import java.util.Locale;

/** A builder for SVG drawings. Shapes have a class that the style sheet defines. */
public final class Svg {
    private final StringBuilder content = new StringBuilder();
    private final int width;
    private final int height;
    private final String label;

    public Svg(int width, int height, String label) {
        this.width = width;
        this.height = height;
        this.label = label;
    }

    /** Adds a style sheet verbatim. */
    public void style(String sheet) {
        content.append("<style>\n").append(sheet).append("</style>\n");
    }

    void line(String style, double x1, double y1, double x2, double y2) {
        add("<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", style, x1, y1, x2, y2);
    }

    /**
     * Adds a box.
     *
     * @param tip the tooltip; none if empty
     */
    public void box(String style, double x, double y, double width, double height, String tip) {
        String title = tip.isEmpty() ? "" : "<title>" + escaped(tip) + "</title>";
        add(
                "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">%s</rect>",
                style, x, y, width, height, title);
    }

    void dot(String style, double x, double y) {
        add("<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>", style, x, y);
    }

    public void text(String style, double x, double y, String text) {
        add("<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>", style, x, y, escaped(text));
    }

    private void add(String form, Object... values) {
        content.append(String.format(Locale.ROOT, form, values)).append('\n');
    }

    @Override
    public String toString() {
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + width + " " + height
                + "\" role=\"img\" aria-label=\"" + escaped(label) + "\">\n" + content + "</svg>\n";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
