package dev.dormouse.server.view;

import dev.dormouse.dag.PendingApproval;
import java.time.Instant;
import java.util.Optional;

/**
 * An approval that a run waits for.
 *
 * @param token who has it can decide; null for callers who may not
 */
public record ApprovalView(String workflowId, String step, Optional<String> token, Instant until) {

    public static ApprovalView of(String workflowId, PendingApproval approval, boolean withToken) {
        Optional<String> token = withToken ? Optional.of(approval.token()) : Optional.empty();
        return new ApprovalView(workflowId, approval.step(), token, approval.until());
    }
}
