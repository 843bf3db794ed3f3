package dev.dormouse.internal.workflow;

import dev.dormouse.WorkflowInfo;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.store.run.RunKind;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Information about a run at one moment, taken from its first event and its replay. Immutable. */
record RunInfo(
        String workflowId,
        UUID runId,
        String type,
        Instant startedAt,
        Optional<Instant> deadline,
        Map<String, String> memo,
        Optional<Parent> parent,
        Optional<Scheduled> schedule,
        Optional<UUID> continuedFrom,
        int historyLength,
        boolean isReplaying)
        implements WorkflowInfo {
    private static final int LONG_HISTORY = 10_000;

    static RunInfo of(Replay run) {
        Event.RunStarted started = run.started();
        String workflowId = run.run().workflowId();
        Origin.Parent parent = started.origin().parent();
        boolean isScheduled = parent != null && parent.workflowId().startsWith(RunKind.SCHEDULE.mark());
        return new RunInfo(
                workflowId,
                started.identity(run.run().runId()),
                started.type(),
                started.at(),
                Optional.ofNullable(started.deadline()),
                started.memo(),
                isScheduled ? Optional.empty() : parent(parent),
                parent != null && isScheduled ? scheduled(parent.workflowId(), workflowId) : Optional.empty(),
                Optional.ofNullable(started.origin().continues()),
                run.historyLength(),
                run.isReplaying());
    }

    private static Optional<Parent> parent(Origin.@Nullable Parent parent) {
        return parent == null ? Optional.empty() : Optional.of(new Parent(parent.workflowId(), parent.runId()));
    }

    /** Returns the schedule, and the instant with which the ids of its runs end. */
    private static Optional<Scheduled> scheduled(String schedule, String workflowId) {
        for (int at = workflowId.length() - 1; at > 0; at--) {
            at = workflowId.lastIndexOf('T', at);
            int begin = at - "2026-01-31".length();
            if (begin < 0) {
                break;
            }
            try {
                return Optional.of(new Scheduled(
                        schedule.substring(RunKind.SCHEDULE.mark().length()),
                        Instant.parse(workflowId.substring(begin))));
            } catch (DateTimeException notYet) {
                // part of the prefix: look further to the left
            }
        }
        return Optional.empty();
    }

    @Override
    public boolean isContinueAsNewSuggested() {
        return historyLength >= LONG_HISTORY;
    }
}
