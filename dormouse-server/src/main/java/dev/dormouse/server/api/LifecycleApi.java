package dev.dormouse.server.api;

import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.client.RunAccess;
import dev.dormouse.internal.history.Event;
import dev.dormouse.server.request.ApiProblem;
import dev.dormouse.server.request.TextValues;
import dev.dormouse.server.view.FailureView;
import dev.dormouse.server.view.RunView;
import dev.dormouse.server.view.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Ends and restarts of runs: results, cancel, terminate, retry, reset. */
final class LifecycleApi {
    private static final String DEFAULT_REASON = "asked for by ";

    private final RunLookup runs;
    private final LongPolls waits;

    LifecycleApi(RunLookup runs, LongPolls waits) {
        this.runs = runs;
        this.waits = waits;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/workflows/{id}/result", this::result, "run", "wait"),
                Route.change("POST", "/workflows/{id}/cancel", Role.OPERATOR, this::cancel, "run"),
                Route.change("POST", "/workflows/{id}/terminate", Role.ADMIN, this::terminate, "run"),
                Route.change("POST", "/workflows/{id}/retry", Role.OPERATOR, this::retry, "run"),
                Route.change("POST", "/workflows/{id}/reset", Role.ADMIN, this::reset, "run"));
    }

    private ApiResponse result(Call call) {
        Duration wait =
                LongPolls.checked("?wait", call.params().duration("wait").orElse(Duration.ZERO));
        WorkflowHandle<JsonNode> run = runs.find(call);
        awaitEnd(call.caller(), run, wait);
        WorkflowHandle<JsonNode> last = run;
        Event end = lastEvent(run);
        while (end instanceof Event.RunContinued next) {
            last = runs.find(run.workflowId(), Optional.of(next.nextRunId()));
            end = lastEvent(last);
        }
        RunOutcome outcome = RunOutcome.of(end);
        return ApiResponse.ok(new ResultView(last.summary().status(), outcome.result(), outcome.failure()));
    }

    private static Event lastEvent(WorkflowHandle<JsonNode> run) {
        List<Event> events = RunAccess.of(run).events();
        return events.get(events.size() - 1);
    }

    /**
     * Waits until the run ends. The result is read from its last event, because only the workflow's own nodes may have
     * its codec.
     */
    private void awaitEnd(Caller caller, WorkflowHandle<JsonNode> run, Duration wait) {
        try {
            waits.waitAsReader(caller, () -> Optional.ofNullable(run.result(wait)));
        } catch (WorkflowException ended) {
            // it ended without a result
        } catch (DormouseException problem) {
            if (problem.code() != ErrorCode.PAYLOAD_DOES_NOT_FIT) {
                throw problem;
            }
        }
    }

    private static String reason(Call call) {
        return call.body("reason")
                .optionalText("reason")
                .orElse(DEFAULT_REASON + call.caller().name());
    }

    private ApiResponse cancel(Call call) {
        String reason = reason(call);
        WorkflowHandle<JsonNode> run = runs.findWorkflow(call);
        checkOpen(run);
        run.cancel(reason);
        return ApiResponse.of(202, RunView.of(run.summary()));
    }

    private ApiResponse terminate(Call call) {
        String reason = reason(call);
        WorkflowHandle<JsonNode> run = runs.findWorkflow(call);
        if (!run.terminate(reason)) {
            throw closed(run);
        }
        return ApiResponse.ok(RunView.of(run.summary()));
    }

    static void checkOpen(WorkflowHandle<?> run) {
        if (!run.summary().status().acceptsMessages()) {
            throw closed(run);
        }
    }

    static ApiProblem closed(WorkflowHandle<?> run) {
        return ApiProblem.conflict(
                ErrorCode.RUN_CLOSED,
                "Expected an open run of workflow id " + TextValues.shown(run.workflowId()) + ", but run " + run.runId()
                        + " has ended already. Nothing was changed.");
    }

    private ApiResponse retry(Call call) {
        call.body();
        return ApiResponse.ok(RunView.of(runs.find(call).retry().summary()));
    }

    private ApiResponse reset(Call call) {
        int events = call.body("events").number("events");
        return ApiResponse.ok(RunView.of(runs.find(call).reset(events).summary()));
    }

    /** The result or failure of a run. */
    record ResultView(RunStatus status, Optional<Value> result, Optional<FailureView> failure) {}
}
