package dev.dormouse.cli.schedule;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Format;
import dev.dormouse.cli.term.Screen;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "show", description = "Tells about a schedule, with its next and last times.")
final class ShowCommand extends ApiCommand {
    @Parameters(paramLabel = "ID", description = "The schedule's id.")
    private String id = "";

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        JsonNode schedule = api.get(ApiPath.of("schedules", id));
        if (screen.format() == Format.TABLE) {
            SchedulePrinter.printWhole(screen, schedule);
        } else {
            SchedulePrinter.print(screen, schedule, "Schedule");
        }
        return ExitCode.OK;
    }
}
