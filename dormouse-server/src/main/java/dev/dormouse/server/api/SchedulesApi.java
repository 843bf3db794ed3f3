package dev.dormouse.server.api;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.schedule.Cron;
import dev.dormouse.schedule.Interval;
import dev.dormouse.schedule.Overlap;
import dev.dormouse.schedule.ScheduleInfo;
import dev.dormouse.schedule.ScheduleList;
import dev.dormouse.schedule.Schedules;
import dev.dormouse.schedule.Timetable;
import dev.dormouse.schedule.ZonedCron;
import dev.dormouse.server.request.ApiProblem;
import dev.dormouse.server.request.PageCursors;
import dev.dormouse.server.request.QueryParameters;
import dev.dormouse.server.request.RequestBody;
import dev.dormouse.server.request.TextValues;
import dev.dormouse.server.view.PageView;
import dev.dormouse.timer.TimerId;
import dev.dormouse.timer.TimerInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Routes that list, preview, create and change schedules. */
final class SchedulesApi {
    private static final int SHOWN = 5;
    private static final Set<RunStatus> FAILED = EnumSet.of(RunStatus.FAILED, RunStatus.TIMED_OUT, RunStatus.STUCK);

    private final Dormouse dormouse;
    private final LongPolls waits;

    SchedulesApi(Dormouse dormouse, LongPolls waits) {
        this.dormouse = dormouse;
        this.waits = waits;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/schedules", this::list, "limit", "page"),
                Route.get("/schedules/preview", this::preview, "cron", "zone", "every"),
                Route.get("/schedules/{id}", call -> show(200, call.value("id"))),
                Route.change("POST", "/schedules", Role.OPERATOR, this::create),
                Route.change("PUT", "/schedules/{id}", Role.OPERATOR, this::put),
                Route.change("DELETE", "/schedules/{id}", Role.ADMIN, this::delete),
                Route.change("POST", "/schedules/{id}/pause", Role.OPERATOR, this::pause),
                Route.change("POST", "/schedules/{id}/resume", Role.OPERATOR, this::resume),
                Route.change("POST", "/schedules/{id}/trigger", Role.OPERATOR, this::trigger),
                Route.change("POST", "/schedules/{id}/backfill", Role.OPERATOR, this::backfill));
    }

    private Schedules schedules() {
        return dormouse.schedules();
    }

    private ApiResponse list(Call call) {
        call.params().limit(); // a page has a hundred, whatever is asked for
        ScheduleList page = schedules().list(call.params().page());
        return ApiResponse.ok(new PageView<>(
                page.schedules().stream().map(this::view).toList(), page.next().map(PageCursors::encode)));
    }

    private ScheduleView view(ScheduleInfo schedule) {
        List<ScheduleInfo.Past> started =
                schedule.past().stream().filter(past -> !past.isSkipped()).toList();
        return ScheduleView.of(
                schedule,
                started.isEmpty()
                        ? Optional.empty()
                        : failure(started.get(started.size() - 1).startedId()));
    }

    /** Returns why the run or timer that a schedule started has failed or is being retried. */
    private Optional<String> failure(String startedId) {
        Optional<TimerInfo> timer = dormouse.timers().get(new TimerId(startedId));
        return timer.isPresent()
                ? timer.get().lastFailure()
                : dormouse.find(startedId, JsonNode.class)
                        .map(WorkflowHandle::summary)
                        .filter(run -> FAILED.contains(run.status()))
                        .map(run -> "its last run is "
                                + run.status().name().toLowerCase(Locale.ROOT).replace('_', ' '));
    }

    private ScheduleInfo find(String id) {
        return schedules()
                .get(id)
                .orElseThrow(() -> ApiProblem.notFound(
                        ErrorCode.SCHEDULE_NOT_FOUND,
                        "Expected a schedule " + TextValues.shown(id)
                                + ", but there is none. Create it first, or check the id."));
    }

    private ApiResponse show(int status, String id) {
        return ApiResponse.of(status, view(find(id)));
    }

    private ApiResponse preview(Call call) {
        QueryParameters params = call.params();
        Optional<String> cron = params.text("cron");
        if (cron.isPresent() == params.text("every").isPresent()) {
            throw ApiProblem.bad("?cron", "Expected either cron, with zone, or every, but got both or neither.");
        }
        Instant now = dormouse.now();
        Timetable timetable = cron.isPresent()
                ? Cron.of(cron.get())
                        .inZone(ScheduleBody.zone("?zone", params.text("zone").orElse("UTC")))
                : new Interval(params.duration("every").orElseThrow(), now);
        List<Instant> next = new ArrayList<>();
        Optional<Instant> one = timetable.next(now);
        while (one.isPresent() && next.size() < SHOWN) {
            next.add(one.get());
            one = timetable.next(one.get());
        }
        return ApiResponse.ok(new PreviewView(next));
    }

    private ApiResponse create(Call call) {
        RequestBody body = call.body(ScheduleBody.FIELDS);
        String id = body.text("id");
        schedules().create(id, new ScheduleBody(body, dormouse.now()).schedule());
        return show(201, id).about(id);
    }

    private ApiResponse put(Call call) {
        String id = call.value("id");
        RequestBody body = call.body(ScheduleBody.FIELDS);
        if (!body.optionalText("id").orElse(id).equals(id)) {
            throw ApiProblem.bad(
                    "$.id", "Expected the id of the path, " + TextValues.shown(id) + ", but got another one.");
        }
        schedules().put(id, new ScheduleBody(body, dormouse.now()).schedule());
        return show(200, id);
    }

    private ApiResponse delete(Call call) {
        ScheduleInfo schedule = find(call.value("id"));
        return waits.waitAsOperator(call.caller(), () -> {
            schedules().delete(schedule.id());
            return ApiResponse.ok(ScheduleView.of(schedule, Optional.empty()));
        });
    }

    /** Applies a change that the schedule's run must answer, which may take as long as any update. */
    private ApiResponse changed(Call call, Runnable change) {
        return waits.waitAsOperator(call.caller(), () -> {
            change.run();
            return show(200, call.value("id"));
        });
    }

    private ApiResponse pause(Call call) {
        String note = call.body("note").optionalText("note").orElse("");
        return changed(call, () -> schedules().pause(call.value("id"), note));
    }

    private ApiResponse resume(Call call) {
        call.body();
        return changed(call, () -> schedules().resume(call.value("id")));
    }

    private ApiResponse trigger(Call call) {
        call.body();
        return changed(call, () -> schedules().trigger(call.value("id")));
    }

    private ApiResponse backfill(Call call) {
        RequestBody body = call.body("from", "to", "overlap");
        Instant from = body.instant("from").orElseThrow(() -> ApiProblem.bad("$.from", "Expected an instant."));
        Instant to = body.instant("to").orElseThrow(() -> ApiProblem.bad("$.to", "Expected an instant."));
        Overlap overlap = body.oneOf("overlap", Overlap.class).orElse(Overlap.ALLOW_ALL);
        return changed(call, () -> schedules().backfill(call.value("id"), from, to, overlap));
    }

    /** The next instants of a timetable. */
    record PreviewView(List<Instant> next) {}

    /**
     * A schedule.
     *
     * @param catchUp none, one, or all with a window: {@code all PT1H}
     * @param past its latest starts; an empty id means that the instant was skipped
     * @param lastFailure why its latest run or timer has failed or is being retried
     */
    record ScheduleView(
            String id,
            Optional<String> cron,
            Optional<String> zone,
            Optional<Duration> every,
            String target,
            Overlap overlap,
            String catchUp,
            boolean paused,
            String note,
            List<Instant> next,
            List<Past> past,
            Optional<String> lastFailure) {

        record Past(Instant scheduledFor, String startedId) {}

        static ScheduleView of(ScheduleInfo schedule, Optional<String> lastFailure) {
            Optional<ZonedCron> cron =
                    schedule.timetable() instanceof ZonedCron zoned ? Optional.of(zoned) : Optional.empty();
            return new ScheduleView(
                    schedule.id(),
                    cron.map(zoned -> zoned.cron().toString()),
                    cron.map(zoned -> zoned.zone().getId()),
                    schedule.timetable() instanceof Interval interval
                            ? Optional.of(interval.every())
                            : Optional.empty(),
                    schedule.target(),
                    schedule.overlap(),
                    catchUp(schedule),
                    schedule.paused(),
                    schedule.note(),
                    schedule.next(),
                    schedule.past().stream()
                            .map(past -> new Past(past.scheduledFor(), past.startedId()))
                            .toList(),
                    lastFailure);
        }

        private static String catchUp(ScheduleInfo schedule) {
            if (schedule.catchUp().window().isZero()) {
                return "none";
            }
            return schedule.catchUp().all() ? "all " + schedule.catchUp().window() : "one";
        }
    }
}
