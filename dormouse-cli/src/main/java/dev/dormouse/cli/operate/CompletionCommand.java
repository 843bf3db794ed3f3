package dev.dormouse.cli.operate;

import dev.dormouse.cli.base.BaseCommand;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

@Command(
        name = "completion",
        description = "Prints a completion script for bash and zsh.",
        footer = {"", "Example: source <(./dormouse completion)"})
public final class CompletionCommand extends BaseCommand {

    @Override
    protected ExitCode run(Screen screen) {
        screen.raw(AutoComplete.bash(
                "dormouse", commandLine().getCommandSpec().root().commandLine()));
        return ExitCode.OK;
    }
}
