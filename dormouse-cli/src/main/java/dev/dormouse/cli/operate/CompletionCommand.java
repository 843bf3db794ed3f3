package dev.dormouse.cli.operate;

import dev.dormouse.cli.base.BaseCommand;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

@Command(
        name = "completion",
        description = "Prints a script that lets bash or zsh complete commands and options.",
        footer = {"", "Example: source <(./dormouse completion)"})
public final class CompletionCommand extends BaseCommand {

    @Override
    protected ExitCode run(Screen screen) {
        screen.raw(AutoComplete.bash(
                "dormouse", commandLine().getCommandSpec().root().commandLine()));
        return ExitCode.OK;
    }
}
