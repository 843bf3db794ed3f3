package dev.dormouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that executes {@code dev} or {@code server}. Closing it kills the process.
 *
 * @param url where it answers
 */
record Serving(Process process, String url) implements AutoCloseable {

    /** Starts the process, and returns when it answers. Its log goes to a file. */
    static Serving start(Path log, String... arguments) throws IOException {
        return start(log, List.of(), arguments);
    }

    /** Starts the process by another command, such as {@code unshare}, and returns when it answers. */
    static Serving start(Path log, List<String> by, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(by);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(command).redirectError(log.toFile()).start();
        return new Serving(process, url(process));
    }

    private static String url(Process process) throws IOException {
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = out.readLine();
        while (line != null && !line.startsWith("Dormouse is at ")) {
            line = out.readLine();
        }
        assertThat(line).as("the line with the address").isNotNull();
        return line.replaceAll("Dormouse is at (http://[0-9.:]*[0-9])\\. .*", "$1");
    }

    /** Stops the process as an operator would. */
    void stop() throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
