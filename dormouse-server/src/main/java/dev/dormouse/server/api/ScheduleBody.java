package dev.dormouse.server.api;

import dev.dormouse.schedule.CatchUp;
import dev.dormouse.schedule.Cron;
import dev.dormouse.schedule.Interval;
import dev.dormouse.schedule.Overlap;
import dev.dormouse.schedule.Schedule;
import dev.dormouse.schedule.Timetable;
import dev.dormouse.server.request.ApiProblem;
import dev.dormouse.server.request.RequestBody;
import dev.dormouse.server.request.TextValues;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/** A schedule in a request body. */
final class ScheduleBody {
    static final String[] FIELDS = {
        "id",
        "cron",
        "zone",
        "every",
        "anchor",
        "workflow",
        "input",
        "timer",
        "payload",
        "overlap",
        "catchUp",
        "jitter",
        "idPrefix"
    };

    private final RequestBody body;
    private final Instant now;

    ScheduleBody(RequestBody body, Instant now) {
        this.body = body;
        this.now = now;
    }

    Schedule schedule() {
        Schedule schedule = target(Schedule.of(timetable()));
        schedule =
                body.oneOf("overlap", Overlap.class).map(schedule::withOverlap).orElse(schedule);
        schedule = catchUp().map(schedule::withCatchUp).orElse(schedule);
        schedule = body.duration("jitter").map(schedule::withJitter).orElse(schedule);
        return body.optionalText("idPrefix").map(schedule::withIdPrefix).orElse(schedule);
    }

    private Timetable timetable() {
        if (body.has("cron") == body.has("every")) {
            throw ApiProblem.bad(
                    body.path("cron"),
                    "Expected either 'cron', with 'zone', or 'every', but got "
                            + (body.has("cron") ? "both" : "neither") + ".");
        } else if (body.has("cron")) {
            return Cron.of(body.text("cron"))
                    .inZone(zone(body.path("zone"), body.optionalText("zone").orElse("UTC")));
        }
        return new Interval(
                body.duration("every").orElseThrow(), body.instant("anchor").orElse(now));
    }

    static ZoneId zone(String path, String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException unknown) {
            throw ApiProblem.bad(
                    path, "Expected a time zone such as Europe/Berlin, but got " + TextValues.shown(text) + ".");
        }
    }

    private Schedule target(Schedule schedule) {
        if (body.has("workflow") == body.has("timer")) {
            throw ApiProblem.bad(
                    body.path("workflow"),
                    "Expected either 'workflow', a type, or 'timer', a handler, but got "
                            + (body.has("timer") ? "both" : "neither") + ".");
        }
        return body.has("workflow")
                ? schedule.withWorkflow(body.text("workflow"), body.values("input"))
                : schedule.withTimer(body.text("timer"), body.any("payload"));
    }

    private Optional<CatchUp> catchUp() {
        return body.optionalText("catchUp").map(text -> {
            if (text.startsWith("all ")) {
                return CatchUp.all(TextValues.duration(body.path("catchUp"), text.substring("all ".length())));
            }
            return switch (text) {
                case "none" -> CatchUp.none();
                case "one" -> CatchUp.one();
                default ->
                    throw ApiProblem.bad(
                            body.path("catchUp"),
                            "Expected 'none', 'one' or 'all' with a window such as 'all PT1H', but got "
                                    + TextValues.shown(text) + ".");
            };
        });
    }
}
