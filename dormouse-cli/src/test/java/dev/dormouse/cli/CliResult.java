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

/** The exit code and the output of a command that was run in this process. */
public record CliResult(int code, String out, String err) {
    public static final Instant NOW = Instant.parse("2026-11-16T10:00:00Z");

    /** Runs a command with its output in a pipe. */
    public static CliResult run(String... arguments) {
        return runIn(environment(InstantSource.system(), Map.of(), ""), arguments);
    }

    /** Runs a command with {@code input} on standard input. */
    public static CliResult runWithInput(String input, String... arguments) {
        return runIn(environment(InstantSource.system(), Map.of(), input), arguments);
    }

    /** Runs a command on a terminal of {@code columns} columns, with the clock at {@link #NOW}. */
    public static CliResult runOnTerminal(int columns, Map<String, String> variables, String... arguments) {
        Environment pipe = environment(InstantSource.fixed(NOW), variables, "");
        return runIn(new Environment(variables, pipe.in(), pipe.clock(), pipe.zone(), true, columns), arguments);
    }

    public static Environment environment(InstantSource clock, Map<String, String> variables, String input) {
        return new Environment(
                variables,
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                clock,
                ZoneOffset.UTC,
                false,
                100);
    }

    public static CliResult runIn(Environment environment, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine(environment, arguments)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err));
        int code = line.execute(arguments);
        return new CliResult(code, out.toString(), err.toString());
    }
}
