package dev.dormouse.internal.embedded;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.thread.JvmThreads;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.internal.workflow.Activities;
import dev.dormouse.internal.workflow.NamedActivity;
import dev.dormouse.internal.workflow.WorkflowDefinition;
import dev.dormouse.store.run.RunRow;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** A replayer of histories that are not in a store, against registered workflows. */
final class HistoryReplay {
    private final NodeConfiguration configuration;

    HistoryReplay(NodeConfiguration configuration) {
        this.configuration = configuration;
    }

    void replay(String workflowId, UUID runId, List<Event> history) {
        Event.RunStarted started = (Event.RunStarted) history.get(0);
        WorkflowDefinition workflow = find(started.type());
        Threads threads = new JvmThreads();
        try {
            NamedActivity any = new NamedActivity("any", "", List.of(), Object.class, arguments -> this);
            Activities all =
                    new Activities(type -> this, name -> any, Set.of(), Set.of(), type -> true, HistoryReplay::noNode);
            workflow.code(configuration.payloads(), ActivityOptions.DEFAULT, all, null, threads)
                    .replay(row(workflowId, runId, started, history.size()), history);
        } finally {
            threads.close();
        }
    }

    private static Dormouse noNode() {
        throw new IllegalStateException("Expected no step to be executed in the replay of a history, but one is.");
    }

    private WorkflowDefinition find(String type) {
        List<WorkflowDefinition> workflows = configuration.workflows();
        return workflows.stream()
                .filter(workflow -> workflow.name().equals(type))
                .findFirst()
                .orElseThrow(() -> new DormouseException(
                        ErrorCode.UNKNOWN_WORKFLOW_TYPE,
                        "Expected the code of workflow type '" + type
                                + "' of this history, but only these types are registered: "
                                + workflows.stream()
                                        .map(WorkflowDefinition::name)
                                        .toList()
                                + ". Replay the history with the workflow that wrote it."));
    }

    private static RunRow row(String workflowId, UUID runId, Event.RunStarted started, int events) {
        return new RunRow(
                0,
                runId,
                workflowId,
                started.type(),
                started.type(),
                RunStatus.RUNNING,
                RunRow.NO_LEASE,
                "",
                null,
                WakeReason.START,
                events,
                0,
                0,
                0,
                0,
                0,
                "",
                "",
                started.at(),
                null);
    }
}
