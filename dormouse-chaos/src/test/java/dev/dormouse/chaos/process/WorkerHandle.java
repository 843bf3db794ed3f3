package dev.dormouse.chaos.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A handle to a {@link WorkerMain} process, for the test that started it. Signals are sent to this process only, by its
 * id.
 */
public final class WorkerHandle implements AutoCloseable {
    private static final String END = "\0";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Process process;
    private final PrintWriter input;
    private final BlockingQueue<String> output = new LinkedBlockingQueue<>();

    private WorkerHandle(Process process) {
        this.process = process;
        this.input = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        Thread reader = new Thread(this::read, "child-" + process.pid());
        reader.setDaemon(true);
        reader.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    }

    /** Starts a worker. {@link #awaitReady} waits until it is open. */
    public static WorkerHandle start(Path log, List<String> jvmArguments, List<String> settings) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(jvmArguments);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), WorkerMain.class.getName()));
        command.addAll(settings);
        try {
            return new WorkerHandle(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            lines.lines().forEach(output::add);
        } catch (IOException | UncheckedIOException gone) {
            // same as the end of the output
        }
        output.add(END);
    }

    public long pid() {
        return process.pid();
    }

    public WorkerHandle awaitReady() {
        expect(WorkerMain.READY, nextAnswer());
        return this;
    }

    /** Sends a command and waits for the answer. */
    public String ask(String command) {
        send(command);
        return nextAnswer();
    }

    /** Sends a command that is answered with {@code ok}. */
    public void order(String command) {
        expect("ok", ask(command));
    }

    /** Sends a command without waiting for the answer, which {@link #nextAnswer} returns. */
    public void send(String command) {
        input.println(command);
    }

    /** Waits for the next answer. */
    public String nextAnswer() {
        try {
            String line = output.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (line == null || line.equals(END) || line.startsWith("failed")) {
                throw new AssertionError("Expected an answer of process " + pid() + ", but got "
                        + (line == null ? "none" : line.equals(END) ? "its end" : line));
            }
            return line;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void expect(String expected, String found) {
        if (!expected.equals(found)) {
            throw new AssertionError("Expected process " + pid() + " to say " + expected + ", but got " + found);
        }
    }

    /** Makes the worker close its Dormouse, and waits until the process ends. */
    public void closeGently() {
        send("close");
        expect("closed", nextAnswer());
        awaitEnd();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Kills the process as with {@code kill -9}. Returns {@link System#nanoTime()} of the signal. */
    public long kill() {
        long when = System.nanoTime();
        process.destroyForcibly();
        awaitEnd();
        return when;
    }

    public void awaitEnd() {
        try {
            if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("Expected process " + pid() + " to end, but it goes on");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Stops the process for {@code time}, like a long pause of its machine, and returns when it continues. A shell
     * sends both signals, so that the process continues even if this JVM dies meanwhile.
     */
    public void freeze(Duration time) {
        String seconds = time.toMillis() / 1000.0 + "";
        String script = "kill -STOP " + pid() + " && sleep " + seconds + "; kill -CONT " + pid();
        try {
            new ProcessBuilder("sh", "-c", script)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
