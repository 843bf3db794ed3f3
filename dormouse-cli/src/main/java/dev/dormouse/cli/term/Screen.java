package dev.dormouse.cli.term;

import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.process.Environment;
import java.io.PrintWriter;
import tools.jackson.databind.JsonNode;

/** The output of a command: results go to standard output, remarks to standard error. */
public final class Screen {

    /** The output format, chosen by {@code -o}. */
    public enum Format {
        TABLE,
        JSON,
        IDS
    }

    private static final int READABLE = 100;

    private final PrintWriter out;
    private final PrintWriter err;
    private final Environment environment;
    private final Format format;
    private final TerminalStyle style;
    private final TimeFormat times;

    public Screen(PrintWriter out, PrintWriter err, Environment environment, Format format, TimeFormat.Form form) {
        this.out = out;
        this.err = err;
        this.environment = environment;
        this.format = format;
        this.style = TerminalStyle.of(environment);
        this.times = new TimeFormat(environment.clock(), environment.zone(), form);
    }

    public Format format() {
        return format;
    }

    public TerminalStyle style() {
        return style;
    }

    public TimeFormat times() {
        return times;
    }

    /** Returns the instant in a field for a table cell, or an empty text if it is missing. */
    public String cell(JsonNode node, String field) {
        return ApiJson.instant(node, field).map(times::cell).orElse("");
    }

    /** Returns the instant in a field as both absolute and relative time, or an empty text if it is missing. */
    public String time(JsonNode node, String field) {
        return ApiJson.instant(node, field).map(times::both).orElse("");
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

    /** Prints a result as JSON, as its id, or with {@code asText} in the format {@link Format#TABLE}. */
    public void result(JsonNode result, String id, Runnable asText) {
        switch (format) {
            case JSON -> json(result);
            case IDS -> line(id);
            case TABLE -> asText.run();
        }
    }

    /** Prints a text as it is, without a line break at its end. */
    public void raw(String text) {
        out.print(text);
    }

    public void table(TextTable table) {
        table.print(this, "");
    }

    /** Prints sentences, wrapped into lines. */
    public void paragraph(String text) {
        line(Text.wrap(text, Math.min(width(), READABLE)));
    }

    /** Prints an empty line, a title and a table; nothing if the table is empty. */
    public void section(String title, TextTable table) {
        if (!table.isEmpty()) {
            line("");
            line(style.bold(title));
            table.print(this, "  ");
        }
    }

    /** Flushes standard output, for commands that continue after they have printed a line. */
    public void flush() {
        out.flush();
    }

    /** Prints a remark to standard error: it is not part of the result. */
    public void remark(String text) {
        out.flush();
        err.println(isTerminal() ? Text.wrap(text, width()) : text);
        err.flush();
    }

    /** Prints a line that the next one overwrites. Prints nothing unless the output is a terminal. */
    public void progress(String text) {
        if (isTerminal()) {
            err.print("\r\u001b[K" + text);
            err.flush();
        }
    }
}
