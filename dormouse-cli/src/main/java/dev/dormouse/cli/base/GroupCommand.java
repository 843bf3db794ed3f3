package dev.dormouse.cli.base;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that only holds subcommands, such as {@code dormouse workflow}. */
@Command(mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND", usageHelpAutoWidth = true)
public abstract class GroupCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    /** Returns the subcommands. They are not in the annotation, so that only the one that was typed is set up. */
    public abstract List<Class<?>> commands();

    @Override
    public void run() {
        if (spec != null) {
            throw new CommandLine.ParameterException(spec.commandLine(), "Expected a command, but got none.");
        }
    }
}
