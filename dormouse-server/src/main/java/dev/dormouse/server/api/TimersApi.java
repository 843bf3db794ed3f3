package dev.dormouse.server.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.dormouse.Dormouse;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.Statistics;
import dev.dormouse.internal.client.RunAccess;
import dev.dormouse.internal.history.Event;
import dev.dormouse.server.request.ApiProblem;
import dev.dormouse.server.request.PageCursors;
import dev.dormouse.server.request.QueryParameters;
import dev.dormouse.server.request.RequestBody;
import dev.dormouse.server.request.TextValues;
import dev.dormouse.server.view.PageView;
import dev.dormouse.server.view.TokenRedactor;
import dev.dormouse.server.view.Value;
import dev.dormouse.store.run.RunKind;
import dev.dormouse.timer.TimerId;
import dev.dormouse.timer.TimerInfo;
import dev.dormouse.timer.TimerList;
import dev.dormouse.timer.TimerListOptions;
import dev.dormouse.timer.TimerOptions;
import dev.dormouse.timer.TimerStatus;
import dev.dormouse.timer.Timers;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Timers without a workflow, and the list of everything that is pending. */
final class TimersApi {
    private final Dormouse dormouse;
    private final UpcomingPages upcoming;

    TimersApi(Dormouse dormouse) {
        this.dormouse = dormouse;
        this.upcoming = new UpcomingPages(dormouse.statistics());
    }

    List<Route> routes() {
        return List.of(
                Route.get("/timers", this::list, "order", "kind", "handler", "prefix", "status", "limit", "page"),
                Route.get("/timers/{id}", call -> ApiResponse.ok(detail(find(call)))),
                Route.change("POST", "/timers", Role.OPERATOR, this::add),
                Route.change("POST", "/timers/{id}/move", Role.OPERATOR, this::move),
                Route.change("POST", "/timers/{id}/cancel", Role.OPERATOR, this::cancel),
                Route.change("POST", "/timers/{id}/fire", Role.OPERATOR, this::fire));
    }

    private Timers timers() {
        return dormouse.timers();
    }

    private ApiResponse list(Call call) {
        QueryParameters params = call.params();
        Optional<String> order = params.text("order");
        if (order.isPresent() && !order.get().equals("due")) {
            throw ApiProblem.bad("?order", "Expected order=due, but got " + TextValues.shown(order.get()) + ".");
        }
        return order.isPresent() || params.text("kind").isPresent() ? upcoming(params) : standAlone(params);
    }

    private ApiResponse upcoming(QueryParameters params) {
        Optional<Statistics.DueKind> kind =
                params.text("kind").map(text -> TextValues.oneOf("?kind", Statistics.DueKind.class, text));
        return ApiResponse.ok(upcoming.page(kind, params.limit(), params.page()));
    }

    private ApiResponse standAlone(QueryParameters params) {
        TimerListOptions options =
                params.text("handler").map(TimerListOptions::of).orElse(TimerListOptions.ALL);
        Set<TimerStatus> statuses = params.set("status", TimerStatus.class);
        options = options.withLimit(params.limit());
        options = statuses.isEmpty() ? options : options.withStatuses(statuses.toArray(TimerStatus[]::new));
        options = params.text("prefix").map(options::withIdPrefix).orElse(options);
        options = params.page().map(options::withPage).orElse(options);
        TimerList page = timers().list(options);
        return ApiResponse.ok(new PageView<>(
                page.timers().stream().map(TimerView::of).toList(), page.next().map(PageCursors::encode)));
    }

    private TimerInfo find(Call call) {
        String id = call.value("id");
        return timers().get(new TimerId(id))
                .orElseThrow(() -> ApiProblem.notFound(
                        ErrorCode.TIMER_NOT_FOUND,
                        "Expected a timer " + TextValues.shown(id) + ", but there is none. Check the id."));
    }

    private TimerDetailView detail(TimerInfo timer) {
        String workflowId = RunKind.TIMER.mark() + timer.id().value();
        return new TimerDetailView(TimerView.of(timer), workflowId, payload(workflowId));
    }

    /** Returns the last argument of the timer's run; empty if the history is damaged or written by a newer Dormouse. */
    private Optional<Value> payload(String workflowId) {
        try {
            return dormouse.find(workflowId, JsonNode.class)
                    .flatMap(run -> TokenRedactor.redact(RunAccess.of(run).events()).stream()
                            .findFirst())
                    .map(first -> ((Event.RunStarted) first).input())
                    .map(input -> Value.of(input.get(input.size() - 1)));
        } catch (DormouseException unreadable) {
            return Optional.empty();
        }
    }

    private ApiResponse add(Call call) {
        RequestBody body = call.body("handler", "at", "in", "payload", "id", "key");
        String handler = body.text("handler");
        JsonNode payload = body.any("payload");
        TimerOptions options = TimerOptions.DEFAULT;
        options = body.optionalText("id").map(options::withId).orElse(options);
        options = body.optionalText("key").map(options::withKey).orElse(options);
        Optional<TimerInfo> before = body.optionalText("id").flatMap(id -> timers().get(new TimerId(id)));
        TimerId id = timers().at(body.when(dormouse.now()), handler, options, payload);
        TimerInfo timer = timers().get(id).orElseThrow();
        boolean isNew = before.filter(other -> other.scheduledAt().equals(timer.scheduledAt()))
                .isEmpty();
        return ApiResponse.of(isNew ? 201 : 200, TimerView.of(timer)).about(id.value());
    }

    private ApiResponse move(Call call) {
        TimerInfo timer = find(call);
        RequestBody body = call.body("at", "in");
        return answer(call, timer, timers().reschedule(timer.id(), body.when(dormouse.now())), "moved");
    }

    private ApiResponse cancel(Call call) {
        TimerInfo timer = find(call);
        call.body();
        return answer(call, timer, timers().cancel(timer.id()), "cancelled");
    }

    private ApiResponse fire(Call call) {
        TimerInfo timer = find(call);
        call.body();
        return answer(call, timer, timers().fireNow(timer.id()), "fired");
    }

    private ApiResponse answer(Call call, TimerInfo timer, boolean done, String what) {
        if (!done) {
            throw ApiProblem.conflict(
                    ErrorCode.TIMER_GONE,
                    "Expected timer " + TextValues.shown(timer.id().value()) + " to be " + what
                            + ", but it was too late: it fires, has fired or has ended otherwise.");
        }
        return ApiResponse.ok(TimerView.of(find(call)));
    }

    /** A timer without a workflow. */
    record TimerView(
            String id,
            String handler,
            TimerStatus status,
            Optional<Instant> fireAt,
            int attempts,
            Optional<String> lastFailure,
            Optional<String> key,
            Instant scheduledAt,
            Optional<Instant> endedAt) {

        static TimerView of(TimerInfo timer) {
            return new TimerView(
                    timer.id().value(),
                    timer.handler(),
                    timer.status(),
                    timer.fireAt(),
                    timer.attempts(),
                    timer.lastFailure(),
                    timer.key(),
                    timer.scheduledAt(),
                    timer.endedAt());
        }
    }

    /**
     * A timer without a workflow, with its payload.
     *
     * @param workflowId the workflow id of its run, for its history
     * @param payload the argument of its handler; empty if its history cannot be read
     */
    record TimerDetailView(@JsonUnwrapped TimerView timer, String workflowId, Optional<Value> payload) {}
}
