package dev.dormouse.server.api;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.DagState;
import dev.dormouse.dag.Dags;
import dev.dormouse.dag.PendingApproval;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.request.ApiJson;
import dev.dormouse.server.request.ApiProblem;
import dev.dormouse.server.request.RequestBody;
import dev.dormouse.server.request.TextValues;
import dev.dormouse.server.view.PageView;
import dev.dormouse.server.view.RunView;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** DAG definitions and DAG runs. */
final class DagsApi {
    private final DagAccess access;
    private final LongPolls waits;

    DagsApi(@Nullable Dags dags, LongPolls waits) {
        this.access = new DagAccess(dags);
        this.waits = waits;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/dags", this::list, "limit", "page"),
                Route.query("/dags/validate", this::validate),
                Route.get("/dags/{name}", this::show, "version"),
                Route.change("PUT", "/dags/{name}", Role.ADMIN, this::put),
                Route.change("POST", "/dags/{name}/start", Role.OPERATOR, this::start),
                Route.get("/workflows/{id}/dag", this::run, "run"));
    }

    private ApiResponse list(Call call) {
        List<DagView> dags = access.get().list().stream().map(DagsApi::view).toList();
        return ApiResponse.ok(new PageView<>(dags, Optional.empty()));
    }

    private static DagView view(Dag dag) {
        JsonNode steps =
                ApiJson.parse(dag.toJson().getBytes(StandardCharsets.UTF_8)).get("steps");
        return new DagView(dag.name(), dag.version(), steps == null ? 0 : steps.size());
    }

    private Dag find(String name, int version) {
        Optional<Dag> found =
                version == 0 ? access.get().find(name) : access.get().find(name, version);
        return found.orElseThrow(() -> ApiProblem.notFound(
                ErrorCode.DAG_NOT_FOUND,
                "Expected a DAG " + TextValues.shown(name) + (version == 0 ? "" : " of version " + version)
                        + ", but there is none. Check the name."));
    }

    private ApiResponse show(Call call) {
        int version = call.params().number("version", 1, Integer.MAX_VALUE, 0);
        String json = find(call.value("name"), version).toJson();
        return new ApiResponse(200, ApiResponse.JSON, json.getBytes(StandardCharsets.UTF_8), Map.of(), "");
    }

    private static Dag read(Call call) {
        ApiJson.parse(call.bytes());
        return Dag.fromJson(new String(call.bytes(), StandardCharsets.UTF_8));
    }

    private ApiResponse validate(Call call) {
        return ApiResponse.ok(view(read(call)));
    }

    private ApiResponse put(Call call) {
        Dag dag = read(call);
        String name = call.value("name");
        if (!dag.name().equals(name)) {
            throw ApiProblem.bad(
                    "$.name",
                    "Expected the name of the path, " + TextValues.shown(name) + ", but got "
                            + TextValues.shown(dag.name()) + ".");
        }
        boolean isNew = access.get().find(name, dag.version()).isEmpty();
        access.get().register(dag);
        return ApiResponse.of(isNew ? 201 : 200, view(dag));
    }

    private ApiResponse start(Call call) {
        RequestBody body = call.body("id", "input");
        String name = call.value("name");
        find(name, 0);
        Optional<String> id = body.optionalText("id");
        Object input = body.has("input") ? body.any("input") : null;
        DagRun run = id.isPresent()
                ? access.get().start(name, id.get(), input)
                : access.get().start(name, input);
        return ApiResponse.of(201, RunView.of(run.handle().summary())).about(run.workflowId());
    }

    private ApiResponse run(Call call) {
        DagRun run = access.run(call.value("id"), call.params().id("run"));
        return waits.waitAsReader(
                call.caller(),
                () -> ApiResponse.ok(
                        new DagRunView(run.state(), run.toMermaid(), access.approvals(run, call.caller()))));
    }

    /**
     * An approval that a run waits for.
     *
     * @param token the token that decides it; empty for callers whose role may not decide
     */
    record ApprovalView(String workflowId, String step, Optional<String> token, Instant until) {

        static ApprovalView of(String workflowId, PendingApproval approval, boolean withToken) {
            Optional<String> token = withToken ? Optional.of(approval.token()) : Optional.empty();
            return new ApprovalView(workflowId, approval.step(), token, approval.until());
        }
    }

    /**
     * A DAG run.
     *
     * @param mermaid the DAG as a Mermaid flowchart
     */
    record DagRunView(DagState state, String mermaid, List<ApprovalView> approvals) {}

    /**
     * A DAG, as lists show it.
     *
     * @param steps the number of steps
     */
    record DagView(String name, int version, int steps) {}
}
