package dev.dormouse.cli.schedule;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.Pages;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Facts;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Table;
import dev.dormouse.cli.term.Text;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Commands that show schedules: {@code schedule list}, {@code show} and {@code next}. */
final class ScheduleViewCommands {
    private ScheduleViewCommands() {}

    @Command(name = "list", aliases = "ls", description = "Lists schedules.")
    static final class ListAll extends ApiCommand {
        @Override
        protected ExitCode run(ApiClient api, Screen screen) {
            Pages.printAll(
                    api,
                    ApiPath.of("schedules"),
                    screen,
                    "id",
                    new Table("ID", "WHEN", "TARGET", "STATE", "NEXT").paint("STATE", screen.style()::status),
                    (table, schedule) -> table.row(
                            Json.text(schedule, "id"),
                            timetable(schedule),
                            target(schedule),
                            state(schedule),
                            next(schedule).map(screen.times()::cell).orElse("")),
                    "No schedules. Create one with 'dormouse schedule create'.");
            return ExitCode.OK;
        }
    }

    @Command(name = "show", description = "Shows a schedule with its next and past start times.")
    static final class Show extends ApiCommand {
        @Parameters(paramLabel = "ID", description = "The schedule id.")
        private String id = "";

        @Override
        protected ExitCode run(ApiClient api, Screen screen) {
            JsonNode schedule = api.get(ApiPath.of("schedules", id));
            print(screen, schedule, "Schedule");
            if (screen.format() == Screen.Format.TABLE) {
                printDetails(screen, schedule);
            }
            return ExitCode.OK;
        }
    }

    @Command(
            name = "next",
            description = "Prints the next five start times of a schedule, or of one that does not exist yet.",
            footer = {"", "Example: dormouse schedule next --cron '0 9 * * MON-FRI' --zone Europe/Berlin"})
    static final class Next extends ApiCommand {
        @Parameters(arity = "0..1", paramLabel = "ID", description = "A schedule id; or use --cron or --every.")
        private @Nullable String id;

        @Mixin
        private final TimetableOptions timetable = new TimetableOptions();

        @Override
        protected ExitCode run(ApiClient api, Screen screen) {
            if ((id == null) == !timetable.isGiven()) {
                throw CommandFailed.usage("Expected the id of a schedule, or --cron or --every, but got "
                        + (id == null ? "neither" : "both") + ".");
            }
            ApiPath path =
                    id == null ? timetable.into(ApiPath.of("schedules", "preview")) : ApiPath.of("schedules", id);
            JsonNode next = api.get(path).path("next");
            if (screen.format() == Screen.Format.JSON) {
                screen.json(next);
            } else {
                screen.table(times(screen, next));
            }
            return ExitCode.OK;
        }
    }

    /** Prints a schedule in one line. */
    static void print(Screen screen, JsonNode schedule, String title) {
        String id = Json.text(schedule, "id");
        screen.result(
                schedule,
                id,
                () -> screen.line(title + " " + screen.style().bold(Text.clean(id)) + ": " + timetable(schedule) + ", "
                        + screen.style().status(state(schedule))
                        + next(schedule)
                                .map(at -> ", next " + screen.times().both(at))
                                .orElse("")));
    }

    private static void printDetails(Screen screen, JsonNode schedule) {
        new Facts()
                .add("target", target(schedule))
                .add("overlap", Json.text(schedule, "overlap"))
                .add("catch up", Json.text(schedule, "catchUp"))
                .add("note", Json.text(schedule, "note"))
                .add("last failure", Json.text(schedule, "lastFailure"))
                .print(screen);
        screen.section("Next", times(screen, schedule.path("next")));
        Table past = new Table("FOR", "STARTED");
        Json.stream(schedule.path("past"))
                .forEach(start -> past.row(screen.time(start, "scheduledFor"), Json.text(start, "startedId")));
        screen.section("Past", past);
    }

    private static String state(JsonNode schedule) {
        return schedule.path("paused").asBoolean(false) ? "paused" : "active";
    }

    private static String timetable(JsonNode schedule) {
        String cron = Json.text(schedule, "cron");
        return cron.isEmpty()
                ? "every " + Json.text(schedule, "every")
                : Text.clean(cron + " (" + Json.text(schedule, "zone") + ")");
    }

    private static Optional<Instant> next(JsonNode schedule) {
        return Json.instant(schedule.path("next").path(0).asString(""));
    }

    private static String target(JsonNode schedule) {
        JsonNode target = schedule.path("target");
        return target.isObject()
                ? target.propertyStream()
                        .filter(entry -> entry.getValue().isValueNode()
                                && !entry.getValue().isNull())
                        .map(entry -> entry.getKey() + " " + entry.getValue().asString(""))
                        .collect(Collectors.joining(", "))
                : target.asString("");
    }

    private static Table times(Screen screen, JsonNode instants) {
        Table table = new Table("AT", "");
        Json.stream(instants)
                .flatMap(text -> Json.instant(text.asString("")).stream())
                .forEach(at ->
                        table.row(screen.times().absolute(at), screen.times().relative(at)));
        return table;
    }
}
