package dev.dormouse.cli;

import dev.dormouse.error.DormouseException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What {@code ./dormouse} runs. A user's mistake is answered by a sentence, not by a stack trace. */
@Command(
        name = "dormouse",
        description = "Durable time for Java.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        subcommands = TimersCommand.class,
        synopsisSubcommandLabel = "COMMAND")
public final class Main implements Runnable {
    @CommandLine.Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main()).setExecutionExceptionHandler((problem, command, parsed) -> {
            command.getErr().println("dormouse: " + sentence(problem));
            return CommandLine.ExitCode.SOFTWARE;
        });
    }

    private static String sentence(Exception problem) {
        if (problem instanceof DormouseException || problem instanceof SQLException) {
            return String.valueOf(problem.getMessage());
        }
        return problem.toString();
    }

    @Override
    public void run() {
        if (spec != null) {
            throw new CommandLine.ParameterException(spec.commandLine(), "Expected a command, but got none.");
        }
    }

    /** As the jar says. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"dormouse " + (version == null ? "(not packaged)" : version)};
        }
    }
}
