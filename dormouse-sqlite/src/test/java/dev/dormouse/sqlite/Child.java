package dev.dormouse.sqlite;

import dev.dormouse.store.Store;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another process that uses a store. As a program it opens the file, then starts runs without end and prints each. */
public final class Child implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private Child(Process process) {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    public static void main(String[] arguments) {
        try (Store store = Stores.open(Path.of(arguments[0]))) {
            say("open");
            for (int i = 0; ; i++) {
                Start start = Sample.leased("child-" + i);
                if (store.start(0, List.of(start)).get(0) instanceof StartOutcome.Started) {
                    say(start.workflowId());
                }
            }
        } catch (RuntimeException e) {
            say(e.getMessage());
        }
    }

    @SuppressWarnings("SystemOut")
    private static void say(String line) {
        System.out.println(line);
    }

    public static Child start(Path file) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new Child(new ProcessBuilder(
                        java, "-cp", System.getProperty("java.class.path"), Child.class.getName(), file.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    public long pid() {
        return process.pid();
    }

    /** Returns the next line that the child prints; null when it has ended. */
    public String hear() {
        try {
            return output.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@code kill -9} does. */
    public void kill() throws InterruptedException {
        process.toHandle().destroyForcibly();
        process.waitFor(10, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
