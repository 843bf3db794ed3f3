package dev.dormouse.demo.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A Java child process of the demo: lines in, lines out, and a log file. It is ended only through its own handle. */
final class JavaProcess {
    /** From this version on, native code such as the SQLite driver needs permission. */
    private static final int ASKS_FOR_NATIVE_ACCESS = 22;

    private final Process process;
    private final Writer input;
    private final Path log;

    private JavaProcess(Process process, Path log) {
        this.process = process;
        this.input = process.outputWriter(StandardCharsets.UTF_8);
        this.log = log;
    }

    /** Starts a main class. Files that a killed process leaves behind are below {@code folder}. */
    static JavaProcess start(Class<?> main, Path folder, String name, String... arguments) throws IOException {
        Path temporary = Files.createDirectories(folder.resolve("tmp"));
        Path log = folder.resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(command(main, temporary, arguments))
                .redirectError(ProcessBuilder.Redirect.to(log.toFile()));
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        return new JavaProcess(builder.start(), log);
    }

    private static List<String> command(Class<?> main, Path temporary, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= ASKS_FOR_NATIVE_ACCESS) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")); // starts faster and uses less memory
        command.add("-Djava.io.tmpdir=" + temporary);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    long pid() {
        return process.pid();
    }

    /** Passes each output line to {@code listener}, and then reports the end, on a separate thread. */
    void listen(Consumer<String> listener, Runnable atEnd) {
        Thread ear = new Thread(
                () -> {
                    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
                        for (String line = output.readLine(); line != null; line = output.readLine()) {
                            listener.accept(line);
                        }
                    } catch (IOException | UncheckedIOException e) {
                        // same as the end of the process
                    }
                    process.onExit().join();
                    atEnd.run();
                },
                "ear of " + pid());
        ear.setDaemon(true);
        ear.start();
    }

    /** Sends a line to the process. Has no effect if it has ended. */
    synchronized void say(String line) {
        try {
            input.write(line + "\n");
            input.flush();
        } catch (IOException ended) {
            // the listener is notified
        }
    }

    /** Kills the process as with {@code kill -9}. */
    int kill() {
        process.destroyForcibly();
        return process.onExit().join().exitValue();
    }

    /** Closes the pipe to the process, which ends it. Kills it if it does not end within {@code seconds}. */
    void end(long seconds) {
        try (input) {
            input.flush();
        } catch (IOException ended) {
            // it has already ended
        }
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            kill();
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    int exitCode() {
        return process.onExit().join().exitValue();
    }

    /** Returns the log file with its standard error. */
    Path log() {
        return log;
    }
}
