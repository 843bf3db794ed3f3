package dev.dormouse.cli.history;

import dev.dormouse.cli.base.GroupCommand;
import java.util.List;
import picocli.CommandLine.Command;

/** All that is done with histories of runs. */
@Command(
        name = "history",
        description = "Read histories, save them, and find out whether today's code still fits them.")
public final class HistoryCommands extends GroupCommand {
    @Override
    public List<Class<?>> commands() {
        return List.of(ShowCommand.class, ExportCommand.class, ReplayCommand.class);
    }
}
