package dev.dormouse.server.api;

import dev.dormouse.Dormouse;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.SqlTimer;
import dev.dormouse.inspect.SqlTimerId;
import dev.dormouse.server.request.ApiProblem;
import dev.dormouse.server.request.RequestBody;
import dev.dormouse.server.view.PageView;
import dev.dormouse.server.view.Value;
import dev.dormouse.timer.SqlTimers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Timers that were set in SQL: single ones, and a list of the failed ones. Pending ones are in the list of all timers.
 */
final class SqlTimersApi {
    private final Dormouse dormouse;

    SqlTimersApi(Dormouse dormouse) {
        this.dormouse = dormouse;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/sql-timers/failed", this::failed, "limit"),
                Route.get("/sql-timers/{id}", call -> ApiResponse.ok(SqlTimerView.of(find(call)))),
                Route.change("POST", "/sql-timers/{id}/move", Role.OPERATOR, this::move),
                Route.change("POST", "/sql-timers/{id}/cancel", Role.OPERATOR, this::cancel),
                Route.change("POST", "/sql-timers/{id}/fire", Role.OPERATOR, this::fire));
    }

    private SqlTimers timers() {
        return dormouse.sqlTimers();
    }

    private ApiResponse failed(Call call) {
        List<SqlTimerView> timers = timers().failed(call.params().limit()).stream()
                .map(SqlTimerView::of)
                .toList();
        return ApiResponse.ok(new PageView<>(timers, Optional.empty()));
    }

    private SqlTimer find(Call call) {
        SqlTimerId id = SqlTimerId.parse(call.value("id"));
        return timers().get(id)
                .orElseThrow(() -> ApiProblem.notFound(
                        ErrorCode.TIMER_NOT_FOUND,
                        "Expected a timer " + id + " that was set in SQL, but there is none, or schema timers does not "
                                + "belong to this server's role. Check the id; 7:42 is number 42 of shard key 7."));
    }

    private ApiResponse move(Call call) {
        SqlTimer timer = find(call);
        RequestBody body = call.body("at", "in");
        return answer(call, timer, timers().reschedule(timer.id(), body.when(dormouse.now())), "moved");
    }

    private ApiResponse cancel(Call call) {
        SqlTimer timer = find(call);
        call.body();
        return answer(call, timer, timers().cancel(timer.id()), "cancelled");
    }

    private ApiResponse fire(Call call) {
        SqlTimer timer = find(call);
        call.body();
        return answer(call, timer, timers().fireNow(timer.id()), "fired");
    }

    private ApiResponse answer(Call call, SqlTimer timer, boolean done, String what) {
        if (!done) {
            throw ApiProblem.conflict(
                    ErrorCode.TIMER_GONE,
                    "Expected timer " + timer.id() + " to be " + what
                            + ", but it fires just now, has ended, or is being changed by another session.");
        }
        return ApiResponse.ok(SqlTimerView.of(find(call)));
    }

    /**
     * A timer that was set in SQL.
     *
     * @param id a number, prefixed with the shard key and a colon if that is not 0
     * @param fireAt empty if it never fires
     * @param scheduledBy the role that set it and that its action runs as
     * @param action SQL, cut if it is long; empty if there is a handler
     * @param firedAt when it started, fired or failed
     * @param timeoutMillis 0 for none
     */
    record SqlTimerView(
            String id,
            SqlTimer.Status status,
            Optional<Instant> fireAt,
            String scheduledBy,
            Optional<String> action,
            Optional<String> handler,
            Optional<Value> payload,
            Instant createdAt,
            Optional<Instant> firedAt,
            long timeoutMillis,
            int attempts,
            Optional<String> error,
            Optional<String> sqlState) {
        private static final int MAX = 4_000;

        static SqlTimerView of(SqlTimer timer) {
            return new SqlTimerView(
                    timer.id().toString(),
                    timer.status(),
                    timer.fireAt(),
                    timer.scheduledBy(),
                    timer.action().map(SqlTimerView::cut),
                    timer.handler(),
                    timer.payload().map(json -> Value.of(new Payload("json", json.getBytes(StandardCharsets.UTF_8)))),
                    timer.createdAt(),
                    timer.firedAt(),
                    timer.timeout().toMillis(),
                    timer.attempts(),
                    timer.error().map(SqlTimerView::cut),
                    timer.sqlState());
        }

        private static String cut(String text) {
            return text.length() <= MAX ? text : text.substring(0, MAX) + "…";
        }
    }
}
