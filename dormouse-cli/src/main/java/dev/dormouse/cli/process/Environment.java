package dev.dormouse.cli.process;

import java.io.InputStream;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;

/**
 * What a command knows of the process it runs in; tests hand in their own.
 *
 * @param variables the environment's
 * @param isTerminal whether somebody watches: only then there are colours and progress bars
 * @param width how many columns there are
 */
public record Environment(
        Map<String, String> variables,
        InputStream in,
        InstantSource clock,
        ZoneId zone,
        boolean isTerminal,
        int width) {
    private static final int DEFAULT_WIDTH = 100;
    private static final int LEAST_WIDTH = 40;

    /** The real one. The launcher says how wide the terminal is, if standard output is one. */
    public static Environment ofProcess() {
        Integer columns = Integer.getInteger("dormouse.columns");
        boolean isTerminal = columns != null || System.console() != null;
        return new Environment(
                System.getenv(),
                System.in,
                InstantSource.system(),
                ZoneId.systemDefault(),
                isTerminal,
                columns == null ? columnsVariable() : Math.max(columns, LEAST_WIDTH));
    }

    private static int columnsVariable() {
        String columns = System.getenv("COLUMNS");
        return columns != null && columns.matches("[1-9]\\d{1,3}")
                ? Math.max(Integer.parseInt(columns), LEAST_WIDTH)
                : DEFAULT_WIDTH;
    }

    /** A variable that is set and not empty. */
    public Optional<String> variable(String name) {
        return Optional.ofNullable(variables.get(name)).filter(value -> !value.isEmpty());
    }

    /** What the root command is, so that every command below it finds its environment. */
    public interface Holder {
        Environment environment();
    }
}
