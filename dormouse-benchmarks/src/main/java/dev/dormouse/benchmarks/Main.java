package dev.dormouse.benchmarks;

import picocli.CommandLine;

/**
 * The main class of {@code ./dormouse bench}. A user's mistake is answered with a sentence, not with a stack trace.
 */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new BenchCommand())
                .setParameterExceptionHandler((problem, arguments) -> {
                    say(problem.getCommandLine(), "Expected what --help tells, but: " + problem.getMessage() + ".");
                    return CommandLine.ExitCode.USAGE;
                })
                .setExecutionExceptionHandler((problem, command, parsed) -> {
                    say(command, problem.getMessage() == null ? problem.toString() : problem.getMessage());
                    return problem instanceof BadUsage ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
                });
    }

    private static void say(CommandLine command, String sentence) {
        command.getErr().println("dormouse bench: " + sentence);
        command.getErr().flush();
    }
}
