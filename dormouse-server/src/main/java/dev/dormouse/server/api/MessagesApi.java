package dev.dormouse.server.api;

import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.UpdateFailedException;
import dev.dormouse.server.request.RequestBody;
import dev.dormouse.server.view.AcceptedView;
import dev.dormouse.server.view.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Signals, queries and updates of runs, and changes of their timers. */
final class MessagesApi {
    private final RunLookup runs;
    private final LongPolls waits;
    private final Supplier<Instant> now;

    MessagesApi(RunLookup runs, LongPolls waits, Supplier<Instant> now) {
        this.runs = runs;
        this.waits = waits;
        this.now = now;
    }

    List<Route> routes() {
        return List.of(
                Route.change("POST", "/workflows/{id}/signal", Role.OPERATOR, this::signal, "run"),
                Route.query("/workflows/{id}/query", this::query, "run"),
                Route.change("POST", "/workflows/{id}/update", Role.OPERATOR, this::update, "run"),
                Route.change("POST", "/workflows/{id}/timers/{name}/move", Role.OPERATOR, this::moveTimer, "run"),
                Route.change("POST", "/workflows/{id}/waits/{call}/move", Role.OPERATOR, this::moveWait, "run"));
    }

    private ApiResponse signal(Call call) {
        RequestBody body = call.body("name", "arguments", "key");
        String name = body.text("name");
        String key = body.optionalText("key").orElseGet(() -> UUID.randomUUID().toString());
        runs.findOpen(call).signalOnce(key, name, body.array("arguments"));
        return ApiResponse.of(202, new AcceptedView(key));
    }

    private ApiResponse query(Call call) {
        RequestBody body = call.body("name", "arguments");
        String name = body.text("name");
        WorkflowHandle<JsonNode> run = runs.find(call);
        return answer(waits.waitAsOperator(
                call.caller(), () -> orNull(run.query(name, JsonNode.class, body.array("arguments")))));
    }

    private ApiResponse update(Call call) {
        RequestBody body = call.body("name", "arguments", "id", "wait");
        String name = body.text("name");
        String id = body.optionalText("id").orElseGet(() -> UUID.randomUUID().toString());
        Duration wait = LongPolls.checked("$.wait", body.duration("wait").orElse(LongPolls.LONGEST));
        WorkflowHandle<JsonNode> run = runs.findOpen(call);
        return answer(waits.waitAsOperator(
                call.caller(), () -> orNull(run.updateOnce(id, wait, name, JsonNode.class, body.array("arguments")))));
    }

    private static JsonNode orNull(@Nullable JsonNode answer) {
        return answer == null ? JsonNodeFactory.instance.nullNode() : answer;
    }

    private static ApiResponse answer(JsonNode result) {
        return ApiResponse.ok(new AnswerView(Value.of(result)));
    }

    private ApiResponse moveTimer(Call call) {
        String timer = call.value("name");
        return move(call, timer, (run, at, reason) -> run.timer(timer).reschedule(at, reason));
    }

    private ApiResponse moveWait(Call call) {
        int number = call.number("call");
        return move(call, call.value("call"), (run, at, reason) -> run.moveWait(number, at, reason));
    }

    private interface Move {
        void apply(WorkflowHandle<JsonNode> run, Instant at, String reason);
    }

    private ApiResponse move(Call call, String what, Move move) {
        RequestBody body = call.body("at", "in", "reason");
        Instant at = body.when(now.get());
        String reason = body.optionalText("reason").orElse("");
        WorkflowHandle<JsonNode> run = runs.findOpen(call);
        try {
            return waits.waitAsOperator(call.caller(), () -> {
                move.apply(run, at, reason);
                return ApiResponse.ok(new AcceptedView(what));
            });
        } catch (UpdateFailedException refused) {
            return ErrorResponses.response(409, refused.code(), refused.getMessage(), null);
        }
    }

    /** The answer of a run to a query or update. */
    record AnswerView(Value result) {}
}
