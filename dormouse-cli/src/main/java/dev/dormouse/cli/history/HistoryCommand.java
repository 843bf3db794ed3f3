package dev.dormouse.cli.history;

import dev.dormouse.cli.base.GroupCommand;
import java.util.List;
import picocli.CommandLine.Command;

@Command(name = "history", description = "Show and export histories, and replay them with the current code.")
public final class HistoryCommand extends GroupCommand {
    @Override
    public List<Class<?>> commands() {
        return List.of(HistoryShowCommand.class, HistoryExportCommand.class, ReplayCommand.class);
    }
}
