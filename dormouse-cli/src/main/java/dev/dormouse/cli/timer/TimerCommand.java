package dev.dormouse.cli.timer;

import dev.dormouse.cli.base.GroupCommand;
import java.util.List;
import picocli.CommandLine.Command;

@Command(name = "timer", description = "Set, list and change timers.")
public final class TimerCommand extends GroupCommand {
    @Override
    public List<Class<?>> commands() {
        return List.of(
                TimerChangeCommands.Add.class,
                TimerViewCommands.ListDue.class,
                TimerViewCommands.Show.class,
                TimerChangeCommands.Move.class,
                TimerChangeCommands.Fire.class,
                TimerChangeCommands.Cancel.class,
                TimerViewCommands.Histogram.class);
    }
}
