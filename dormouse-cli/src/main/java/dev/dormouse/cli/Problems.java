package dev.dormouse.cli;

import dev.dormouse.cli.base.BaseCommand;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.Environment;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Text;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.sql.SQLException;
import picocli.CommandLine;

/** What becomes of an exception: a sentence and an exit code. A stack trace only where somebody asks for it. */
final class Problems implements CommandLine.IExecutionExceptionHandler {
    private final Environment environment;

    Problems(Environment environment) {
        this.environment = environment;
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
        return "This is a mistake in Dormouse itself, please report it with what --verbose prints (" + problem + ").";
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
