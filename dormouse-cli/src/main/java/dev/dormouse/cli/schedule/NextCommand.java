package dev.dormouse.cli.schedule;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Format;
import dev.dormouse.cli.term.Screen;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
        name = "next",
        description = "Tells the next five times of a schedule, or of one that is not created yet.",
        footer = {"", "Example: dormouse schedule next --cron '0 9 * * MON-FRI' --zone Europe/Berlin"})
final class NextCommand extends ApiCommand {
    @Parameters(arity = "0..1", paramLabel = "ID", description = "A schedule's id; or use --cron or --every.")
    private @Nullable String id;

    @Mixin
    private final Timetable timetable = new Timetable();

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        if ((id == null) == !timetable.isGiven()) {
            throw CommandFailed.usage("Expected the id of a schedule, or --cron or --every, but got "
                    + (id == null ? "neither" : "both") + ".");
        }
        JsonNode answer =
                api.get(id == null ? timetable.into(ApiPath.of("schedules", "preview")) : ApiPath.of("schedules", id));
        if (screen.format() == Format.JSON) {
            screen.json(answer.path("next"));
        } else {
            screen.table(SchedulePrinter.times(screen, answer.path("next")));
        }
        return ExitCode.OK;
    }
}
