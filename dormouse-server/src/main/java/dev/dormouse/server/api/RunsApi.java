package dev.dormouse.server.api;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.server.request.QueryParameters;
import dev.dormouse.server.request.RequestBody;
import dev.dormouse.server.view.RunView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** Routes that list, start and show workflow runs. */
final class RunsApi {
    private final Dormouse dormouse;
    private final RunLookup runs;
    private final RunDetails details;

    RunsApi(Dormouse dormouse, RunLookup runs, Duration waitsWithin) {
        this.dormouse = dormouse;
        this.runs = runs;
        this.details = new RunDetails(dormouse, runs, waitsWithin);
    }

    List<Route> routes() {
        return List.of(
                Route.get("/workflows", this::list, "prefix", "type", "status", "limit", "page"),
                Route.change("POST", "/workflows", Role.OPERATOR, this::start),
                Route.get("/workflows/{id}", call -> ApiResponse.ok(details.of(runs.find(call))), "run"));
    }

    private ApiResponse list(Call call) {
        QueryParameters params = call.params();
        ListOptions options = ListOptions.ALL
                .withLimit(params.limit())
                .withStatuses(params.set("status", RunStatus.class).toArray(RunStatus[]::new));
        options = params.text("prefix").map(options::withWorkflowIdPrefix).orElse(options);
        options = params.text("type").map(options::withType).orElse(options);
        options = params.page().map(options::withPage).orElse(options);
        return ApiResponse.ok(runs.page(options));
    }

    private ApiResponse start(Call call) {
        RequestBody body = call.body(
                "type", "id", "input", "startAt", "startDelay", "executionTimeout", "memo", "queue", "idReuse");
        String type = body.text("type");
        StartOptions options = options(body);
        Object[] input = body.values("input");
        String id = body.optionalText("id").orElseGet(() -> UUID.randomUUID().toString());
        Optional<UUID> before = dormouse.find(id, JsonNode.class).map(WorkflowHandle::runId);
        WorkflowHandle<JsonNode> run = dormouse.start(type, id, options, JsonNode.class, input);
        boolean isNew = !before.equals(Optional.of(run.runId()));
        return ApiResponse.of(isNew ? 201 : 200, RunView.of(run.describe())).about(id);
    }

    private static StartOptions options(RequestBody body) {
        StartOptions options = StartOptions.DEFAULT;
        options = body.oneOf("idReuse", IdReuse.class).map(options::withIdReuse).orElse(options);
        options = body.instant("startAt").map(options::withStartAt).orElse(options);
        options = body.duration("startDelay").map(options::withStartDelay).orElse(options);
        options = body.duration("executionTimeout")
                .map(options::withExecutionTimeout)
                .orElse(options);
        options = body.optionalText("queue").map(options::withQueue).orElse(options);
        for (Map.Entry<String, String> note : body.notes("memo").entrySet()) {
            options = options.withMemo(note.getKey(), note.getValue());
        }
        return options;
    }
}
