package dev.dormouse.cli;

import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Text;
import java.io.PrintWriter;
import picocli.CommandLine;

/** What is said about a command line that cannot be understood: the mistake, how it is meant, and where to read more. */
final class WrongUsage implements CommandLine.IParameterExceptionHandler {

    @Override
    public int handleParseException(CommandLine.ParameterException mistake, String[] arguments) {
        CommandLine command = mistake.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("dormouse: " + Text.withoutPasswords(String.valueOf(mistake.getMessage())));
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(mistake, err)) {
            CommandLine.Help help = command.getHelp();
            err.print(help.synopsisHeading() + help.synopsis(help.synopsisHeadingLength()));
        }
        String name = command.getCommandSpec().qualifiedName();
        err.println("'" + name + " --help' tells more.");
        err.flush();
        return ExitCode.USAGE.number();
    }
}
