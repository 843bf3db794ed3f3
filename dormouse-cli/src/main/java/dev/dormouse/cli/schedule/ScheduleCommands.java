package dev.dormouse.cli.schedule;

import dev.dormouse.cli.base.GroupCommand;
import java.util.List;
import picocli.CommandLine.Command;

/** All that is done with schedules. */
@Command(
        name = "schedule",
        description = "Start workflows or call handlers again and again, by cron expressions or intervals.")
public final class ScheduleCommands extends GroupCommand {
    @Override
    public List<Class<?>> commands() {
        return List.of(
                CreateCommand.class,
                ListCommand.class,
                ShowCommand.class,
                PauseCommand.class,
                ResumeCommand.class,
                TriggerCommand.class,
                BackfillCommand.class,
                NextCommand.class,
                DeleteCommand.class);
    }
}
