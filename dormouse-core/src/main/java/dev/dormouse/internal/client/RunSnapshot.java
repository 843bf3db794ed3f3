package dev.dormouse.internal.client;

import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.NodeProfile;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.StepDescription;
import dev.dormouse.inspect.WaitDescription;
import dev.dormouse.internal.engine.Node;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.store.run.RunRow;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A run as one read of the store found it: its row, its history up to that row, and the progress of its steps. Reading it
 * takes three statements, or two for a closed run. For tools that show a run, such as the dashboard. Immutable.
 */
public final class RunSnapshot {
    private final Node node;
    private final RunCalls calls;
    private final RunRow row;
    private final List<Event> events;
    private final RunDescription run;

    private RunSnapshot(Node node, RunCalls calls, RunRow row, List<Event> events, RunDescription run) {
        this.node = node;
        this.calls = calls;
        this.row = row;
        this.events = events;
        this.run = run;
    }

    static RunSnapshot read(Node node, RunCalls calls, Payloads payloads, RunRow row) {
        List<Event> events = events(node, row);
        Map<String, String> memo =
                !events.isEmpty() && events.get(0) instanceof Event.RunStarted started ? started.memo() : Map.of();
        List<StepDescription> steps = node.openSteps(row, events).stream()
                .map(step -> Descriptions.step(step, payloads))
                .toList();
        return new RunSnapshot(
                node,
                calls,
                row,
                events,
                Descriptions.run(row, Math.max(row.nextSeq(), events.size()), node.trouble(row), memo, steps));
    }

    private static List<Event> events(Node node, RunRow row) {
        try {
            return List.copyOf(node.history(row));
        } catch (DormouseException unreadable) {
            if (unreadable.code() == ErrorCode.HISTORY_DAMAGED || unreadable.code() == ErrorCode.HISTORY_TOO_NEW) {
                return List.of();
            }
            throw unreadable;
        }
    }

    /** Returns where the run stands. Memo and steps are empty if the history cannot be read. */
    public RunDescription run() {
        return run;
    }

    /** Returns the whole history as it is stored; empty if it is damaged or written by a newer Dormouse. */
    public List<Event> events() {
        return events;
    }

    /**
     * Returns true if a living node has the run's code, so that {@link #waits} can be answered. Reads nothing from the store
     * if the code is registered here.
     */
    public boolean canAnswer() {
        return Descriptions.isDelayed(row) || node.isCodeAlive(row);
    }

    /**
     * Returns what the run's code waits for, as {@link WorkflowHandle#waits} does. Reads nothing from the store if the code
     * is registered here.
     *
     * @throws DormouseException NOT_ANSWERED if no live node has the code
     */
    public List<WaitDescription> waits() {
        CallGuard.reads("RunSnapshot.waits");
        if (row.status().isClosed()) {
            return List.of();
        } else if (Descriptions.isDelayed(row)) {
            return List.of(Descriptions.delayedStart(row));
        }
        return events.isEmpty() ? calls.waits(row.workflowId(), row.runId()) : calls.waits(row, events);
    }

    /** Returns the names of signals, queries and updates of the run's type; empty if the type is not registered here. */
    public Optional<NodeProfile.Methods> methods() {
        return calls.methods(row.type());
    }
}
