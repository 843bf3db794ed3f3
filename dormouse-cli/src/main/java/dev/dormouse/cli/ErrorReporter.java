package dev.dormouse.cli;

import dev.dormouse.cli.base.BaseCommand;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.Environment;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Text;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.io.PrintWriter;
import java.sql.SQLException;
import picocli.CommandLine;

/**
 * A printer of errors: prints one sentence and returns an exit code. Stack traces are printed only with
 * {@code --verbose}.
 */
final class ErrorReporter implements CommandLine.IExecutionExceptionHandler, CommandLine.IParameterExceptionHandler {
    private final Environment environment;

    ErrorReporter(Environment environment) {
        this.environment = environment;
    }

    /** Reports an invalid command line: the error, suggestions or the synopsis, and the help command. */
    @Override
    public int handleParseException(CommandLine.ParameterException mistake, String[] arguments) {
        CommandLine command = mistake.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("dormouse: " + Text.withoutPasswords(String.valueOf(mistake.getMessage())));
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(mistake, err)) {
            CommandLine.Help help = command.getHelp();
            err.print(help.synopsisHeading() + help.synopsis(help.synopsisHeadingLength()));
        }
        err.println("See '" + command.getCommandSpec().qualifiedName() + " --help'.");
        err.flush();
        return ExitCode.USAGE.number();
    }

    @Override
    public int handleExecutionException(Exception problem, CommandLine command, CommandLine.ParseResult parsed) {
        command.getOut().flush();
        String sentence = "dormouse: " + Text.clean(Text.withoutPasswords(sentence(problem)));
        command.getErr().println(environment.isTerminal() ? Text.wrap(sentence, environment.width()) : sentence);
        if (command.getCommand() instanceof BaseCommand base && base.isVerbose()) {
            problem.printStackTrace(command.getErr());
        }
        command.getErr().flush();
        return code(problem).number();
    }

    private static String sentence(Exception problem) {
        if (problem instanceof CommandFailed
                || problem instanceof DormouseException
                || problem instanceof SQLException) {
            return String.valueOf(problem.getMessage());
        }
        return "This is a bug in Dormouse. Please report it with the output of --verbose (" + problem + ").";
    }

    private static ExitCode code(Exception problem) {
        if (problem instanceof CommandFailed failed) {
            return failed.exitCode();
        }
        return problem instanceof DormouseException known ? code(known.code()) : ExitCode.FAILED;
    }

    private static ExitCode code(ErrorCode code) {
        return switch (code) {
            case STORE_UNAVAILABLE -> ExitCode.NOT_REACHABLE;
            case STORE_IN_USE, SERVER_NOT_STARTED -> ExitCode.CONFLICT;
            case READ_ONLY -> ExitCode.NOT_ALLOWED;
            case UNKNOWN_STORE, BAD_SETTING, BAD_ARGUMENT, BAD_DAG, BAD_HISTORY_FILE, SERVER_NEEDS_TOKEN ->
                ExitCode.USAGE;
            case RUN_NOT_FOUND, SCHEDULE_NOT_FOUND, DAG_NOT_FOUND -> ExitCode.NOT_FOUND;
            default -> ExitCode.FAILED;
        };
    }
}
