package dev.dormouse.server.api;

import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.Dags;
import dev.dormouse.dag.run.DagWorkflow;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.request.ApiProblem;
import dev.dormouse.server.request.TextValues;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The DAGs of the server, if it has any. */
record DagAccess(@Nullable Dags dags) {

    Dags get() {
        if (dags == null) {
            throw ApiProblem.notFound(
                    ErrorCode.NOT_FOUND, "Expected a server with DAGs, but this one has none. Add dags(…) to it.");
        }
        return dags;
    }

    /** Returns a DAG run: the latest of a workflow id, or the one with {@code runId}. */
    DagRun run(String workflowId, Optional<UUID> runId) {
        return runId.flatMap(id -> get().run(workflowId, id))
                .or(() -> runId.isPresent() ? Optional.empty() : get().run(workflowId))
                .filter(run -> run.handle().summary().type().startsWith(DagWorkflow.FAMILY + ":"))
                .orElseThrow(() -> ApiProblem.notFound(
                        ErrorCode.RUN_NOT_FOUND,
                        "Expected a run" + runId.map(id -> " " + id).orElse("") + " of a DAG under workflow id "
                                + TextValues.shown(workflowId)
                                + ", but there is none. Check the id."));
    }

    List<DagsApi.ApprovalView> approvals(DagRun run, Caller caller) {
        boolean mayDecide = caller.role().covers(Role.OPERATOR);
        if (run.handle().summary().status().isClosed()) {
            return List.of();
        }
        return run.approvals().stream()
                .map(approval -> DagsApi.ApprovalView.of(run.workflowId(), approval, mayDecide))
                .toList();
    }
}
