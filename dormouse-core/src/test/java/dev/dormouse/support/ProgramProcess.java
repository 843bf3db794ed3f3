package dev.dormouse.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A program in its own process, as a user would run it, with its output in files. */
public final class ProgramProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(150);
    private static final int ASKS_FOR_NATIVE_ACCESS = 22;

    private final Path directory;
    private final Process process;

    private ProgramProcess(Path directory, Process process) {
        this.directory = directory;
        this.process = process;
    }

    /**
     * Starts the program without input.
     *
     * @param directory an empty directory: the program is started in it, and its temporary files are in {@code tmp}
     *     below
     */
    public static ProgramProcess start(Path directory, Class<?> main, String... arguments) throws IOException {
        ProgramProcess program = startAtTerminal(directory, main, arguments);
        program.process.getOutputStream().close();
        return program;
    }

    /** Starts the program with keyboard input, see {@link #type}. */
    public static ProgramProcess startAtTerminal(Path directory, Class<?> main, String... arguments)
            throws IOException {
        return start(directory, command(directory, main, arguments));
    }

    /**
     * Starts the program with keyboard input and a screen to draw on: a terminal that {@code script} of util-linux
     * creates. If one of the two ends, the other ends too.
     */
    public static ProgramProcess startOnScreen(Path directory, Class<?> main, String... arguments) throws IOException {
        String command = command(directory, main, arguments).stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
        String prepared = "stty rows 40 cols 132; TERM=xterm exec " + command;
        return start(directory, List.of("script", "-qefc", prepared, "/dev/null"));
    }

    private static ProgramProcess start(Path directory, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(directory.resolve("out.txt").toFile())
                .redirectError(directory.resolve("err.txt").toFile());
        builder.environment()
                .keySet()
                .removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")); // otherwise java reports them
        return new ProgramProcess(directory, builder.start());
    }

    private static List<String> command(Path directory, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        if (Runtime.version().feature() >= ASKS_FOR_NATIVE_ACCESS) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.add("-Djava.io.tmpdir=" + Files.createDirectories(directory.resolve("tmp")));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Types a line. */
    public void type(String line) throws IOException {
        Writer input = process.outputWriter();
        input.write(line + "\n");
        input.flush();
    }

    /** Waits until the output matches {@code regex}. */
    public MatchResult awaitOutput(String regex) {
        Pattern pattern = Pattern.compile(regex);
        Instant latest = Instant.now().plus(PATIENCE);
        while (!pattern.matcher(output()).find()
                && process.isAlive()
                && Instant.now().isBefore(latest)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        return pattern.matcher(output())
                .results()
                .findFirst()
                .orElseThrow(() -> new AssertionError("No '" + regex + "' in:\n" + output() + "\n" + errors()));
    }

    public int awaitExitCode() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("Still running. Its output:\n" + output() + "\n" + errors());
        }
        return process.exitValue();
    }

    public String output() {
        return read("out.txt");
    }

    public String errors() {
        return read("err.txt");
    }

    private String read(String file) {
        try {
            // Not readString: the process may have written a part of the last character
            return new String(Files.readAllBytes(directory.resolve(file)), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Asks the process to end, as a shutdown of the machine does. */
    public void terminate() {
        process.destroy();
    }

    /** Kills the process as with {@code kill -9}. */
    public void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        kill();
        process.onExit().join();
    }
}
