package dev.dormouse.cli.workflow;

import dev.dormouse.cli.base.GroupCommand;
import java.util.List;
import picocli.CommandLine.Command;

/** All that is done with workflows and their runs. */
@Command(name = "workflow", aliases = "wf", description = "Start workflows, see what they do, and change it.")
public final class WorkflowCommands extends GroupCommand {
    @Override
    public List<Class<?>> commands() {
        return List.of(
                StartCommand.class,
                RunCommand.class,
                ListCommand.class,
                ShowCommand.class,
                TraceCommand.class,
                ResultCommand.class,
                SignalCommand.class,
                QueryCommand.class,
                UpdateCommand.class,
                MoveCommand.class,
                CancelCommand.class,
                TerminateCommand.class,
                RetryCommand.class,
                ResetCommand.class);
    }
}
