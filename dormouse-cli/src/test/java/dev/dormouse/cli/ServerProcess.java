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
 * A separate process that runs {@code dev} or {@code server}. Closing it kills the process.
 *
 * @param url the URL of its server
 */
public record ServerProcess(Process process, String url) implements AutoCloseable {

    /** Starts the process and waits until it listens. Its log goes to a file. */
    public static ServerProcess start(Path log, String... arguments) throws IOException {
        return start(log, List.of(), arguments);
    }

    /** Starts the process with a prefix command, such as {@code unshare}, and waits until it listens. */
    public static ServerProcess start(Path log, List<String> prefix, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(prefix);
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
        return new ServerProcess(process, url(process));
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

    /** Stops the process with a TERM signal. */
    public void stop() throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
