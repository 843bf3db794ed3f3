package dev.dormouse.store;

import java.util.Set;
import java.util.UUID;

/**
 * A run to be inserted together with its first event. The caller makes {@code runId} once per call, so that a repeated
 * start finds its own run.
 *
 * @param next how the run begins: leased to this node ({@link NextState#running}), or unleased with an alarm
 *     ({@link NextState#pending})
 * @param owner id of the starting node, empty without a lease
 * @param first the first event; or several, for a run that begins with what another has been through
 * @param replaces statuses of a closed run of the same workflow id in whose place this one may start; empty: a closed
 *     run is returned as it is. The workflow id's mail counter goes on. What the old run left unread stays unread for the
 *     new one if the old one was CONTINUED; after any other status it counts as consumed
 * @param queued its place in a queue; such a run begins without a lease
 * @param fence what must hold of the store, for a start that was read from an outbox
 */
public record Start(
        String workflowId,
        UUID runId,
        String type,
        String lane,
        String owner,
        NextState next,
        Append first,
        Set<RunStatus> replaces,
        Queued queued,
        OutboxFence fence) {

    public Start {
        if (queued.isSomewhere() && next.lease() != RunRow.NO_LEASE) {
            throw new IllegalArgumentException("Expected a run in queue '" + queued.queue()
                    + "' to begin without a lease, but it has one. Only a claim of the queue may lease it.");
        }
    }

    /** Creates a start that does not come from an outbox. */
    public Start(
            String workflowId,
            UUID runId,
            String type,
            String lane,
            String owner,
            NextState next,
            Append first,
            Set<RunStatus> replaces,
            Queued queued) {
        this(workflowId, runId, type, lane, owner, next, first, replaces, queued, OutboxFence.NONE);
    }

    /** In no queue. */
    public Start(
            String workflowId,
            UUID runId,
            String type,
            String lane,
            String owner,
            NextState next,
            Append first,
            Set<RunStatus> replaces) {
        this(workflowId, runId, type, lane, owner, next, first, replaces, Queued.NOWHERE);
    }

    /** The same, but a workflow id that is taken stays so. */
    public Start replacingNothing() {
        return new Start(workflowId, runId, type, lane, owner, next, first, Set.of(), queued, fence);
    }

    /** Returns this start under a fence. */
    public Start under(OutboxFence condition) {
        return new Start(workflowId, runId, type, lane, owner, next, first, replaces, queued, condition);
    }
}
