package dev.dormouse.cli.term;

import dev.dormouse.cli.process.Environment;
import java.io.PrintWriter;
import tools.jackson.databind.JsonNode;

/** Where a command prints: results to standard output, remarks to standard error. */
public final class Screen {
    private static final int READABLE = 100;

    private final PrintWriter out;
    private final PrintWriter err;
    private final Environment environment;
    private final Format format;
    private final Style style;
    private final Times times;

    public Screen(PrintWriter out, PrintWriter err, Environment environment, Format format, Times.Form form) {
        this.out = out;
        this.err = err;
        this.environment = environment;
        this.format = format;
        this.style = Style.of(environment);
        this.times = new Times(environment.clock(), environment.zone(), form);
    }

    public Format format() {
        return format;
    }

    public Style style() {
        return style;
    }

    public Times times() {
        return times;
    }

    boolean isTerminal() {
        return environment.isTerminal();
    }

    int width() {
        return environment.width();
    }

    public void line(String text) {
        out.println(text);
    }

    public void json(JsonNode node) {
        out.println(node.toPrettyString());
    }

    /** Exactly this, without a line's end. */
    public void raw(String text) {
        out.print(text);
    }

    public void table(Table table) {
        table.print(this, "");
    }

    /** Sentences, broken into lines. */
    public void paragraph(String text) {
        line(Text.wrap(text, Math.min(width(), READABLE)));
    }

    /** A table with a title, below something else. */
    public void section(String title, Table table) {
        if (!table.isEmpty()) {
            line("");
            line(style.bold(title));
            table.print(this, "  ");
        }
    }

    /** For somebody who waits for a line while the command goes on. */
    public void flush() {
        out.flush();
    }

    /** A remark that is not part of the result. */
    public void remark(String text) {
        out.flush();
        err.println(isTerminal() ? Text.wrap(text, width()) : text);
        err.flush();
    }

    /** A line that is overwritten by the next one: only where somebody watches. */
    public void progress(String text) {
        if (isTerminal()) {
            err.print("\r\u001b[K" + text);
            err.flush();
        }
    }
}
