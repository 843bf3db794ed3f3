package dev.dormouse.cli.timer;

import dev.dormouse.cli.base.GroupCommand;
import picocli.CommandLine.Command;

/** All that is done with timers. */
@Command(
        name = "timer",
        description = "Set timers, see what is due, and change it.",
        subcommands = {
            AddCommand.class,
            ListCommand.class,
            ShowCommand.class,
            MoveCommand.class,
            FireCommand.class,
            CancelCommand.class,
            HistogramCommand.class
        })
public final class TimerCommands extends GroupCommand {}
