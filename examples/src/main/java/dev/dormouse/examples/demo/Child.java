package dev.dormouse.examples.demo;

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

/** A Java process of the demo, as its parent sees it: lines in, lines out, and a log file. Ended by its handle alone. */
final class Child {
    /** From this version on, native code such as SQLite's driver wants to be allowed. */
    private static final int ASKS_FOR_NATIVE_ACCESS = 22;

    private final Process process;
    private final Writer input;
    private final Path log;

    private Child(Process process, Path log) {
        this.process = process;
        this.input = process.outputWriter(StandardCharsets.UTF_8);
        this.log = log;
    }

    /** Starts a main class. Whatever a killed process leaves behind is below the folder. */
    static Child start(Class<?> main, Path folder, String name, String... arguments) throws IOException {
        Path temporary = Files.createDirectories(folder.resolve("tmp"));
        Path log = folder.resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(command(main, temporary, arguments))
                .redirectError(ProcessBuilder.Redirect.to(log.toFile()));
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        return new Child(builder.start(), log);
    }

    private static List<String> command(Class<?> main, Path temporary, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= ASKS_FOR_NATIVE_ACCESS) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")); // it starts faster and uses less
        command.add("-Djava.io.tmpdir=" + temporary);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    long pid() {
        return process.pid();
    }

    /** Hands on each line that it says, and then its end, on a thread of its own. */
    void listen(Consumer<String> listener, Runnable atEnd) {
        Thread ear = new Thread(
                () -> {
                    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
                        for (String line = output.readLine(); line != null; line = output.readLine()) {
                            listener.accept(line);
                        }
                    } catch (IOException | UncheckedIOException e) {
                        // as good as its end
                    }
                    process.onExit().join();
                    atEnd.run();
                },
                "ear of " + pid());
        ear.setDaemon(true);
        ear.start();
    }

    /** Says something to it; in vain if it has ended. */
    synchronized void say(String line) {
        try {
            input.write(line + "\n");
            input.flush();
        } catch (IOException ended) {
            // whoever listens hears of it
        }
    }

    /** Ends the process as {@code kill -9} does: it cannot notice, and does nothing more. */
    int kill() {
        process.destroyForcibly();
        return process.onExit().join().exitValue();
    }

    /** Closes the pipe to it, by which it ends, and if it does not, kills it. */
    void end(long seconds) {
        try (input) {
            input.flush();
        } catch (IOException ended) {
            // it was faster
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

    /** Where it complains. */
    Path log() {
        return log;
    }
}
