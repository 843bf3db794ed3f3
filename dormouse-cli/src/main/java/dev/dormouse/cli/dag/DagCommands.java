package dev.dormouse.cli.dag;

import dev.dormouse.cli.base.GroupCommand;
import java.util.List;
import picocli.CommandLine.Command;

/** All that is done with DAGs. */
@Command(name = "dag", description = "Workflows as data: check, look at and run them.")
public final class DagCommands extends GroupCommand {
    @Override
    public List<Class<?>> commands() {
        return List.of(ValidateCommand.class, ShowCommand.class, RunCommand.class);
    }
}
