package dev.dormouse.cli.schedule;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.Pages;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Table;
import picocli.CommandLine.Command;

@Command(name = "list", aliases = "ls", description = "Lists schedules.")
final class ListCommand extends ApiCommand {
    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        Pages.printWhole(
                api,
                ApiPath.of("schedules"),
                screen,
                "id",
                () -> new Table("ID", "WHEN", "TARGET", "STATE", "NEXT").paint("STATE", screen.style()::status),
                (table, schedule) -> table.row(
                        Json.text(schedule, "id"),
                        SchedulePrinter.timetable(schedule),
                        SchedulePrinter.target(schedule),
                        SchedulePrinter.state(schedule),
                        SchedulePrinter.next(schedule).map(screen.times()::cell).orElse("")),
                "No schedules. Create one with 'dormouse schedule create'.");
        return ExitCode.OK;
    }
}
