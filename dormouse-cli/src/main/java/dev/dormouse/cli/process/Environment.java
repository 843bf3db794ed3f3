package dev.dormouse.cli.process;

import java.io.Console;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a command. Tests provide their own.
 *
 * @param variables the environment variables
 * @param isTerminal whether the output is a terminal; only then colors and progress are printed
 * @param width the number of columns of the terminal
 */
public record Environment(
        Map<String, String> variables,
        InputStream in,
        InstantSource clock,
        ZoneId zone,
        boolean isTerminal,
        int width) {
    private static final int DEFAULT_WIDTH = 100;
    private static final int MIN_WIDTH = 40;

    /** Returns the environment of this process. The launcher passes the terminal's width if standard output is a terminal. */
    public static Environment ofProcess() {
        Integer columns = Integer.getInteger("dormouse.columns");
        boolean isTerminal = columns != null || isTerminal(System.console());
        return new Environment(
                System.getenv(),
                System.in,
                InstantSource.system(),
                ZoneId.systemDefault(),
                isTerminal,
                columns == null ? columnsVariable() : Math.max(columns, MIN_WIDTH));
    }

    /**
     * Returns true if standard input and output are a terminal. Before Java 22 there is a console only then; since Java 22
     * there always is one, which has a method {@code isTerminal}.
     */
    private static boolean isTerminal(@Nullable Console console) {
        if (console == null) {
            return false;
        }
        try {
            return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
        } catch (NoSuchMethodException beforeJava22) {
            return true;
        } catch (IllegalAccessException | InvocationTargetException impossible) {
            throw new IllegalStateException("Expected Console.isTerminal() to return, but it failed.", impossible);
        }
    }

    private static int columnsVariable() {
        String columns = System.getenv("COLUMNS");
        return columns != null && columns.matches("[1-9]\\d{1,3}")
                ? Math.max(Integer.parseInt(columns), MIN_WIDTH)
                : DEFAULT_WIDTH;
    }

    /** Returns an environment variable, or empty if it is not set or empty. */
    public Optional<String> variable(String name) {
        return Optional.ofNullable(variables.get(name)).filter(value -> !value.isEmpty());
    }

    /** Implemented by the root command, so that every subcommand can find the environment. */
    public interface Holder {
        Environment environment();
    }
}
