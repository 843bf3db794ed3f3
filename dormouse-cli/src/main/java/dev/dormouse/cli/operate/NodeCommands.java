package dev.dormouse.cli.operate;

import dev.dormouse.cli.base.GroupCommand;
import java.util.List;
import picocli.CommandLine.Command;

/** Who executes. */
@Command(name = "node", description = "Processes that execute workflows.")
public final class NodeCommands extends GroupCommand {
    @Override
    public List<Class<?>> commands() {
        return List.of(NodeListCommand.class);
    }
}
