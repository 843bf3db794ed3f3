package dev.dormouse.benchmarks.system.dormouse.node;

import dev.dormouse.benchmarks.system.NodeProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** A {@link NodeMain} in a separate process, which ends with this one. */
final class ChildNode implements NodeProcess {
    private final Process process;
    private final PrintWriter commands;
    private final BufferedReader answers;

    private ChildNode(Process process) {
        this.process = process;
        this.commands = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static ChildNode start(String url) throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process process = new ProcessBuilder(
                        java.toString(), "-cp", System.getProperty("java.class.path"), NodeMain.class.getName(), url)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new ChildNode(process);
    }

    void awaitReady() throws IOException {
        hear();
    }

    @Override
    public double load(int inFlight, Duration warmUp, Duration window) throws IOException {
        return Double.parseDouble(ask("load", inFlight, warmUp.toMillis(), window.toMillis())[0]);
    }

    @Override
    public void hold(int runs) throws IOException {
        ask("hold", runs);
    }

    @Override
    public int resumed() throws IOException {
        return Integer.parseInt(ask("resumed")[0]);
    }

    @Override
    public void sleep(int runs) throws IOException {
        ask("sleep", runs);
    }

    @Override
    public Lateness lateness(int timers, Duration over) throws IOException {
        String[] words = ask("lateness", timers, over.toMillis());
        return new Lateness(
                Double.parseDouble(words[0]),
                Double.parseDouble(words[1]),
                Double.parseDouble(words[2]),
                Long.parseLong(words[3]));
    }

    @Override
    public Usage usage() throws IOException {
        String[] words = ask("usage");
        return new Usage(Long.parseLong(words[0]), Long.parseLong(words[1]), Integer.parseInt(words[2]));
    }

    private String[] ask(String command, Object... arguments) throws IOException {
        StringBuilder line = new StringBuilder(command);
        for (Object argument : arguments) {
            line.append(' ').append(argument);
        }
        commands.println(line);
        return hear();
    }

    /** Reads an answer. Returns the words after "ok". */
    private String[] hear() throws IOException {
        String line = answers.readLine();
        if (line == null || !line.startsWith(NodeMain.OK)) {
            throw new IOException("Expected an answer of node " + process.pid() + ", but "
                    + (line == null ? "it has ended." : "it says: " + line));
        }
        return line.substring(NodeMain.OK.length()).trim().split(" ", -1);
    }

    @Override
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
