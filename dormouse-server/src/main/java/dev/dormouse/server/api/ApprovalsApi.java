package dev.dormouse.server.api;

import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.Dags;
import dev.dormouse.server.request.RequestBody;
import dev.dormouse.server.view.AcceptedView;
import dev.dormouse.server.view.PageView;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The approvals that DAG runs wait for. */
final class ApprovalsApi {
    private final DagAccess access;
    private final LongPolls waits;

    ApprovalsApi(@Nullable Dags dags, LongPolls waits) {
        this.access = new DagAccess(dags);
        this.waits = waits;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/approvals", this::list, "workflow", "limit", "page"),
                Route.change("POST", "/approvals/{token}/approve", Role.OPERATOR, call -> decide(call, true)),
                Route.change("POST", "/approvals/{token}/reject", Role.OPERATOR, call -> decide(call, false)));
    }

    private ApiResponse list(Call call) {
        String workflowId = call.params().required("workflow");
        DagRun run = access.run(workflowId, Optional.empty());
        return waits.waitAsReader(
                call.caller(),
                () -> ApiResponse.ok(new PageView<>(access.approvals(run, call.caller()), Optional.empty())));
    }

    private ApiResponse decide(Call call, boolean approved) {
        RequestBody body = call.body("by", "comment");
        String by = body.optionalText("by").orElse(call.caller().name());
        String comment = body.optionalText("comment").orElse("");
        Dags dags = access.get();
        return waits.waitAsOperator(call.caller(), () -> {
            if (approved) {
                dags.approve(call.value("token"), by, comment);
            } else {
                dags.reject(call.value("token"), by, comment);
            }
            return ApiResponse.ok(new AcceptedView(call.value("token")));
        });
    }
}
