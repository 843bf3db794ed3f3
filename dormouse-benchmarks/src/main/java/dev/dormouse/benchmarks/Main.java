package dev.dormouse.benchmarks;

import picocli.CommandLine;

/** What {@code ./dormouse bench} runs. A user's mistake is answered by a sentence, not by a stack trace. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new BenchCommand()).setExecutionExceptionHandler((problem, command, parsed) -> {
            command.getErr().println("dormouse bench: " + problem.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        });
    }
}
