package dev.dormouse.cli.schedule;

import dev.dormouse.cli.base.GroupCommand;
import java.util.List;
import picocli.CommandLine.Command;

@Command(name = "schedule", description = "Manage schedules, which start workflows or timers by cron or interval.")
public final class ScheduleCommand extends GroupCommand {
    @Override
    public List<Class<?>> commands() {
        return List.of(
                ScheduleCreateCommand.class,
                ScheduleViewCommands.ListAll.class,
                ScheduleViewCommands.Show.class,
                ScheduleChangeCommands.Pause.class,
                ScheduleChangeCommands.Resume.class,
                ScheduleChangeCommands.Trigger.class,
                ScheduleChangeCommands.Backfill.class,
                ScheduleViewCommands.Next.class,
                ScheduleChangeCommands.Delete.class);
    }
}
