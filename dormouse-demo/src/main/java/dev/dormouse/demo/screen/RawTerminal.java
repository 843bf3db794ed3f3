package dev.dormouse.demo.screen;

import java.io.Console;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * The terminal in raw mode: keys come one by one and the screen is drawn on. A shell process reads from a pipe and
 * restores the terminal when the pipe ends: by {@link #close}, or because this process was killed.
 */
public final class RawTerminal implements AutoCloseable {
    private static final String RESTORE = "trap '' INT TERM HUP QUIT TTOU; read _ < /dev/stdin; stty \"$1\" < /dev/tty;"
            + " printf '\\033[?25h\\033[?1049l' > /dev/tty";

    /** The size of the terminal. */
    public record Size(int rows, int columns) {}

    private final Process guard;

    private RawTerminal(Process guard) {
        this.guard = guard;
    }

    /** Returns true if input and output are a terminal. */
    @SuppressWarnings("SystemConsoleNull") // the difference between JDKs is handled
    static boolean isThere() {
        Console console = System.console();
        try {
            return console != null
                    && (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return true; // before JDK 22 there is a console only on a terminal
        }
    }

    /** Returns true if the terminal also supports drawing. */
    public static boolean canBeUsed() {
        try {
            return isThere()
                    && !"dumb".equals(System.getenv("TERM"))
                    && !stty("-g").isBlank();
        } catch (IOException noSuchProgram) {
            return false;
        }
    }

    static RawTerminal open() throws IOException {
        Process guard = new ProcessBuilder("sh", "-c", RESTORE, "sh", stty("-g").strip())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        stty("-icanon", "-echo", "min", "1", "time", "0"); // Ctrl-C still works
        return new RawTerminal(guard);
    }

    public static Size size() throws IOException {
        String[] fields = stty("size").strip().split(" ", -1);
        try {
            int rows = Integer.parseInt(fields[0]);
            int columns = Integer.parseInt(fields[1]);
            return rows > 0 && columns > 0 ? new Size(rows, columns) : new Size(24, 80);
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException unknown) {
            return new Size(24, 80);
        }
    }

    private static String stty(String... arguments) throws IOException {
        String[] command = new String[arguments.length + 1];
        command[0] = "stty";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Process process = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        try {
            guard.getOutputStream().close();
            boolean unused = guard.waitFor(5, TimeUnit.SECONDS);
        } catch (IOException e) {
            // it has ended
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
