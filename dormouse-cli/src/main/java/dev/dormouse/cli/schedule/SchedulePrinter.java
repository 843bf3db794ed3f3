package dev.dormouse.cli.schedule;

import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.term.Facts;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Table;
import dev.dormouse.cli.term.Text;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** A schedule. */
final class SchedulePrinter {
    private SchedulePrinter() {}

    /** In one line and its next times, after something was done to it. */
    static void print(Screen screen, JsonNode schedule, String what) {
        switch (screen.format()) {
            case JSON -> screen.json(schedule);
            case IDS -> screen.line(Json.text(schedule, "id"));
            case TABLE ->
                screen.line(what + " " + screen.style().bold(Text.clean(Json.text(schedule, "id"))) + ": "
                        + timetable(schedule) + ", " + screen.style().status(state(schedule))
                        + next(schedule)
                                .map(at -> ", next " + screen.times().both(at))
                                .orElse(""));
        }
    }

    static String state(JsonNode schedule) {
        return schedule.path("paused").asBoolean(false) ? "paused" : "active";
    }

    static String timetable(JsonNode schedule) {
        String cron = Json.text(schedule, "cron");
        return cron.isEmpty()
                ? "every " + Json.text(schedule, "every")
                : Text.clean(cron + " (" + Json.text(schedule, "zone") + ")");
    }

    static Optional<Instant> next(JsonNode schedule) {
        return Json.instant(schedule.path("next").path(0).asString(""));
    }

    /** All there is to say. */
    static void printWhole(Screen screen, JsonNode schedule) {
        print(screen, schedule, "Schedule");
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
                .forEach(one -> past.row(
                        Json.instant(one, "scheduledFor")
                                .map(screen.times()::both)
                                .orElse(""),
                        Json.text(one, "startedId")));
        screen.section("Past", past);
    }

    static String target(JsonNode schedule) {
        JsonNode target = schedule.path("target");
        return target.isObject()
                ? target.propertyStream()
                        .filter(entry -> entry.getValue().isValueNode()
                                && !entry.getValue().isNull())
                        .map(entry -> entry.getKey() + " " + entry.getValue().asString(""))
                        .reduce((one, other) -> one + ", " + other)
                        .orElse("")
                : target.asString("");
    }

    static Table times(Screen screen, JsonNode instants) {
        Table table = new Table("AT", "");
        Json.stream(instants)
                .flatMap(text -> Json.instant(text.asString("")).stream())
                .forEach(at ->
                        table.row(screen.times().absolute(at), screen.times().relative(at)));
        return table;
    }
}
