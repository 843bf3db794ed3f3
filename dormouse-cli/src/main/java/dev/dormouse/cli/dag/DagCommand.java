package dev.dormouse.cli.dag;

import dev.dormouse.cli.base.GroupCommand;
import java.util.List;
import picocli.CommandLine.Command;

@Command(name = "dag", description = "Validate, show and run workflows defined as data (DAGs).")
public final class DagCommand extends GroupCommand {
    @Override
    public List<Class<?>> commands() {
        return List.of(DagValidateCommand.class, DagShowCommand.class, DagRunCommand.class);
    }
}
