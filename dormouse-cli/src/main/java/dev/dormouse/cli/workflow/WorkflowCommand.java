package dev.dormouse.cli.workflow;

import dev.dormouse.cli.base.GroupCommand;
import java.util.List;
import picocli.CommandLine.Command;

@Command(name = "workflow", aliases = "wf", description = "Start, inspect and change workflow runs.")
public final class WorkflowCommand extends GroupCommand {
    @Override
    public List<Class<?>> commands() {
        return List.of(
                StartCommands.Start.class,
                StartCommands.Run.class,
                WorkflowListCommand.class,
                WorkflowShowCommand.class,
                TraceCommand.class,
                ResultCommand.class,
                CallCommands.Signal.class,
                CallCommands.Query.class,
                CallCommands.Update.class,
                RunChangeCommands.Move.class,
                BatchCommands.Cancel.class,
                BatchCommands.Terminate.class,
                BatchCommands.Retry.class,
                RunChangeCommands.Reset.class);
    }
}
