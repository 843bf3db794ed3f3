package dev.dormouse.cli.schedule;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.PagedList;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.NameValueList;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Text;
import dev.dormouse.cli.term.TextTable;
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
            PagedList.printAll(
                    api,
                    screen,
                    new PagedList.Listing(
                            ApiPath.of("schedules"),
                            "id",
                            new TextTable("ID", "WHEN", "TARGET", "STATE", "NEXT")
                                    .paint("STATE", screen.style()::status),
                            (table, schedule) -> table.row(
                                    ApiJson.text(schedule, "id"),
                                    timetable(schedule),
                                    target(schedule),
                                    state(schedule),
                                    next(schedule).map(screen.times()::cell).orElse("")),
                            "No schedules. Create one with 'dormouse schedule create'."));
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
        String id = ApiJson.text(schedule, "id");
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
        new NameValueList()
                .add("target", target(schedule))
                .add("overlap", ApiJson.text(schedule, "overlap"))
                .add("catch up", ApiJson.text(schedule, "catchUp"))
                .add("note", ApiJson.text(schedule, "note"))
                .add("last failure", ApiJson.text(schedule, "lastFailure"))
                .print(screen);
        screen.section("Next", times(screen, schedule.path("next")));
        TextTable past = new TextTable("FOR", "STARTED");
        ApiJson.stream(schedule.path("past"))
                .forEach(start -> past.row(screen.time(start, "scheduledFor"), ApiJson.text(start, "startedId")));
        screen.section("Past", past);
    }

    private static String state(JsonNode schedule) {
        return schedule.path("paused").asBoolean(false) ? "paused" : "active";
    }

    private static String timetable(JsonNode schedule) {
        String cron = ApiJson.text(schedule, "cron");
        return cron.isEmpty()
                ? "every " + ApiJson.text(schedule, "every")
                : Text.clean(cron + " (" + ApiJson.text(schedule, "zone") + ")");
    }

    private static Optional<Instant> next(JsonNode schedule) {
        return ApiJson.instant(schedule.path("next").path(0).asString(""));
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

    private static TextTable times(Screen screen, JsonNode instants) {
        TextTable table = new TextTable("AT", "");
        ApiJson.stream(instants)
                .flatMap(text -> ApiJson.instant(text.asString("")).stream())
                .forEach(at ->
                        table.row(screen.times().absolute(at), screen.times().relative(at)));
        return table;
    }
}
