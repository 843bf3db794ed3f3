package dev.dormouse.internal.engine.command;

import dev.dormouse.error.DormouseException;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.History;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.history.ParentClose;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.RunRow;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A child that a reset run requests again. It replaces the child of the previous run under the same workflow id, once
 * that child has closed. Runs of other parents are never replaced.
 */
final class ReplacementChild {
    enum Place {
        FREE,
        FREE_SOON,
        TAKEN
    }

    private final NodeContext context;
    private final Starter starter;

    ReplacementChild(NodeContext context, Starter starter) {
        this.context = context;
        this.starter = starter;
    }

    /**
     * Returns whether the child may replace the current run of its workflow id; {@code FREE_SOON} if the store does
     * not answer.
     */
    Place find(String workflowId, Message.StartRun wanted) {
        try {
            return look(workflowId, wanted);
        } catch (StoreException noAnswer) {
            return Place.FREE_SOON;
        }
    }

    private Place look(String workflowId, Message.StartRun wanted) {
        Origin.Parent parent = wanted.origin().parent();
        RunRow first =
                context.store().current(starter.shard(workflowId), workflowId).orElse(null);
        Origin.Parent before =
                first == null ? null : context.started(first).origin().parent();
        if (first == null || parent == null || before == null || !isSame(before, parent)) {
            return Place.TAKEN;
        } else if (first.status().isClosed() && first.status() != RunStatus.CONTINUED) {
            return Place.FREE;
        }
        return isLeftBehind(before) ? Place.TAKEN : Place.FREE_SOON;
    }

    /** Returns true if the two parents are different runs of the same reset chain. */
    private boolean isSame(Origin.Parent one, Origin.Parent other) {
        return one.workflowId().equals(other.workflowId())
                && !one.runId().equals(other.runId())
                && identity(one).equals(identity(other));
    }

    private UUID identity(Origin.Parent parent) {
        return row(parent)
                .map(row -> context.started(row).identity(row.runId()))
                .orElse(parent.runId());
    }

    /** Returns true if the child continues after its parent has closed; otherwise it is about to end. */
    private boolean isLeftBehind(Origin.Parent parent) {
        return row(parent)
                .map(row -> requests(row).stream()
                        .anyMatch(child -> child.call() == parent.call() && child.parentClose() == ParentClose.ABANDON))
                .orElse(true);
    }

    private List<Event.ChildRequested> requests(RunRow row) {
        try {
            return History.read(row, context.store().histories(row.shard(), List.of(row.runId()))).stream()
                    .filter(Event.ChildRequested.class::isInstance)
                    .map(Event.ChildRequested.class::cast)
                    .toList();
        } catch (StoreException noAnswer) {
            throw noAnswer;
        } catch (DormouseException damaged) {
            return List.of();
        }
    }

    private Optional<RunRow> row(Origin.Parent parent) {
        return context.store().run(starter.shard(parent.workflowId()), parent.runId());
    }
}
