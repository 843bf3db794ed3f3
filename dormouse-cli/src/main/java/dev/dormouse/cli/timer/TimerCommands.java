package dev.dormouse.cli.timer;

import dev.dormouse.cli.base.GroupCommand;
import java.util.List;
import picocli.CommandLine.Command;

/** All that is done with timers. */
@Command(name = "timer", description = "Set timers, see what is due, and change it.")
public final class TimerCommands extends GroupCommand {
    @Override
    public List<Class<?>> commands() {
        return List.of(
                AddCommand.class,
                ListCommand.class,
                ShowCommand.class,
                MoveCommand.class,
                FireCommand.class,
                CancelCommand.class,
                HistogramCommand.class);
    }
}
