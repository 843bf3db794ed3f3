package dev.dormouse.cli;

import dev.dormouse.cli.process.Environment;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;
import picocli.CommandLine;

/** What a command has printed, and how it ended. */
record Ran(int code, String out, String err) {
    static final Instant NOW = Instant.parse("2026-11-16T10:00:00Z");

    /** In a pipe, now. */
    static Ran of(String... arguments) {
        return in(environment(InstantSource.system(), Map.of(), ""), arguments);
    }

    /** In a pipe, with something on standard input. */
    static Ran reading(String input, String... arguments) {
        return in(environment(InstantSource.system(), Map.of(), input), arguments);
    }

    /** In a pipe, when all clocks show {@link #NOW}. */
    static Ran then(String... arguments) {
        return in(environment(InstantSource.fixed(NOW), Map.of(), ""), arguments);
    }

    /** The same on a terminal of some columns. */
    static Ran watched(int columns, Map<String, String> variables, String... arguments) {
        Environment pipe = environment(InstantSource.fixed(NOW), variables, "");
        return in(new Environment(variables, pipe.in(), pipe.clock(), pipe.zone(), true, columns), arguments);
    }

    static Environment environment(InstantSource clock, Map<String, String> variables, String input) {
        return new Environment(
                variables,
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                clock,
                ZoneOffset.UTC,
                false,
                100);
    }

    static Ran in(Environment environment, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine(environment, arguments)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err));
        int code = line.execute(arguments);
        return new Ran(code, out.toString(), err.toString());
    }
}
