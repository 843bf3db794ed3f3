package dev.dormouse.store.run;

import dev.dormouse.inspect.RunStatus;
import java.util.Set;
import java.util.UUID;

/**
 * A run to be inserted together with its first events. The caller creates {@code runId} once per call, so that a
 * repeated start finds its own run.
 *
 * @param next the initial state: leased to this node ({@link NextState#running}), or without a lease and with an alarm
 *     ({@link NextState#pending})
 * @param owner the id of the starting node; empty without a lease
 * @param first the first event, or several for a run that begins with a part of another run's history
 * @param replaces the statuses of a closed run of the same workflow id that this run may replace; if empty, the closed
 *     run is returned instead. The workflow id's mail counter continues. Messages that the old run has not read stay
 *     unread for the new run if the old one was CONTINUED; after any other status it counts as consumed
 * @param queued the place in a queue; a run in a queue begins without a lease
 * @param fence the condition under which the run is started, for a start that was read from an outbox
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

    /** Creates a start for a run that is not in a queue and does not come from an outbox. */
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

    /** Returns this start without replacement: if the workflow id has a run, even a closed one, that run stays. */
    public Start replacingNothing() {
        return new Start(workflowId, runId, type, lane, owner, next, first, Set.of(), queued, fence);
    }

    /** Returns this start with a fence. */
    public Start under(OutboxFence condition) {
        return new Start(workflowId, runId, type, lane, owner, next, first, replaces, queued, condition);
    }
}
