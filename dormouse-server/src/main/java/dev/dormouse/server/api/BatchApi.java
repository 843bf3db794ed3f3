package dev.dormouse.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.request.ApiProblem;
import dev.dormouse.server.request.RequestBody;
import dev.dormouse.server.view.ErrorView;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One action on many workflows. A failure for one workflow does not stop the others. */
final class BatchApi {
    private static final int MAX = 1_000;

    private enum Action {
        CANCEL,
        TERMINATE,
        RETRY,
        SIGNAL
    }

    private final RunLookup runs;

    BatchApi(RunLookup runs) {
        this.runs = runs;
    }

    List<Route> routes() {
        return List.of(Route.change("POST", "/workflows/batch", Role.OPERATOR, this::batch));
    }

    private ApiResponse batch(Call call) {
        RequestBody body = call.body("action", "ids", "reason", "name", "arguments", "key");
        Action action = body.oneOf("action", Action.class)
                .orElseThrow(() -> ApiProblem.bad("$.action", "Expected an action, but there is none."));
        if (action == Action.TERMINATE && !call.caller().role().covers(Role.ADMIN)) {
            throw new ApiProblem(
                    403,
                    ErrorCode.ROLE_MISSING,
                    "Expected a caller with the role ADMIN, which may terminate, but '"
                            + call.caller().name() + "' is " + call.caller().role()
                            + ". Cancel instead, or use a token with that role.",
                    null);
        }
        Set<String> ids = new LinkedHashSet<>(body.texts("ids", MAX));
        String signal = action == Action.SIGNAL ? body.text("name") : "";
        String reason = body.optionalText("reason")
                .orElse("asked for by " + call.caller().name());
        Object[] arguments = body.array("arguments");
        String key = body.optionalText("key").orElseGet(() -> UUID.randomUUID().toString());
        List<BatchView.Result> results = new ArrayList<>();
        for (String id : ids) {
            BatchView.Result result = apply(action, id, run -> {
                switch (action) {
                    case CANCEL -> cancel(run, reason);
                    case TERMINATE -> terminate(run, reason);
                    case RETRY -> run.retry();
                    case SIGNAL -> run.signalOnce(key, signal, arguments);
                }
            });
            AuditLog.write(call.caller(), "batch " + action, id, result.ok() ? "ok" : "refused");
            results.add(result);
        }
        return ApiResponse.ok(new BatchView(results));
    }

    private static void cancel(WorkflowHandle<JsonNode> run, String reason) {
        LifecycleApi.checkOpen(run);
        run.cancel(reason);
    }

    private static void terminate(WorkflowHandle<JsonNode> run, String reason) {
        if (!run.terminate(reason)) {
            throw LifecycleApi.closed(run);
        }
    }

    private interface Work {
        void on(WorkflowHandle<JsonNode> run);
    }

    private BatchView.Result apply(Action action, String id, Work work) {
        try {
            if (action != Action.RETRY) {
                RunLookup.checkIsWorkflow("$.ids", id);
            }
            work.on(runs.find(id, Optional.empty()));
            return new BatchView.Result(id, true, null);
        } catch (ApiProblem problem) {
            return new BatchView.Result(id, false, problem.view());
        } catch (DormouseException problem) {
            return new BatchView.Result(id, false, ErrorView.Problem.of(problem.code(), problem.getMessage(), null));
        }
    }

    /** The results, one for each id. */
    record BatchView(List<Result> results) {

        record Result(
                String id,
                boolean ok,
                @JsonInclude(JsonInclude.Include.NON_NULL) ErrorView.@Nullable Problem error) {}
    }
}
