package dev.dormouse.examples.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A {@link Worker} in a process of its own, as its parent sees it. */
final class WorkerProcess {
    /** From this version on, native code such as SQLite's driver wants to be allowed. */
    private static final int ASKS_FOR_NATIVE_ACCESS = 22;

    private final Process process;
    private final BufferedReader output;

    private WorkerProcess(Process process) {
        this.process = process;
        this.output = process.inputReader();
    }

    static WorkerProcess start(Path folder, Worker.Task task) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command(folder, task));
        return new WorkerProcess(
                builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    private static List<String> command(Path folder, Worker.Task task) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= ASKS_FOR_NATIVE_ACCESS) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")); // it starts faster and uses less
        command.add("-Djava.io.tmpdir=" + folder); // whatever kill -9 leaves behind goes with the folder
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Worker.class.getName(), folder.toString(), task.name()));
        return command;
    }

    long pid() {
        return process.pid();
    }

    /** Hands on what the worker says, up to the line that begins so. */
    void listen(String last, Consumer<String> listener) throws IOException {
        String line = "";
        while (!line.startsWith(last)) {
            line = output.readLine();
            if (line == null) {
                throw new WentWrong("Expected worker " + pid() + " to say \"" + last
                        + "\", but it ended with exit code " + waitForEnd() + ".");
            }
            listener.accept(line);
        }
    }

    /** Ends the process as {@code kill -9} does: it cannot notice, and does nothing more. */
    void kill() {
        process.destroyForcibly();
        waitForEnd();
    }

    int waitForEnd() {
        return process.onExit().join().exitValue();
    }
}
