package dev.dormouse.internal.engine.command;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowIdTakenException;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.run.NewRun;
import dev.dormouse.internal.run.StartedRun;
import dev.dormouse.internal.thread.Nanos;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Updates that start a run if their workflow id has no open one.
 *
 * <p><b>How it works.</b> The update is first delivered to the open run, like any update. If there is none, a run is
 * started whose first event contains the update. So the start and the update are one insert: there is never a run
 * without the update. If another caller has started a run meanwhile, the update is delivered to that run.
 *
 * <p><b>Guarantee.</b> A repeated call with the same key executes the update once. Its key is either in the inbox of
 * the workflow id, or in the first event of the run that was started with it. A run ignores an inbox item whose key is
 * in its first event. A key in a first event is no longer found after that run has closed and another run has replaced
 * it. Thread-safe.
 */
public final class UpdateWithStart {

    private final NodeContext context;
    private final Starter starter;
    private final UpdateCalls updates;

    public UpdateWithStart(NodeContext context, Starter starter, UpdateCalls updates) {
        this.context = context;
        this.starter = starter;
        this.updates = updates;
    }

    /**
     * Sends the update to the open run, or starts a run with it, and waits for the answer.
     *
     * @param wanted the run to start, with the update in its origin
     * @param isNewOnly true to refuse if the workflow id has a run that was not started with this update
     * @throws DormouseException NOT_ANSWERED after {@code atMost}; RUN_CLOSED if the run closes without an answer, or if
     *     the id has a closed run that {@code wanted} does not replace
     */
    public Event.UpdateAnswered ask(
            NewRun wanted, boolean isNewOnly, String key, Message.Update update, Duration atMost) {
        long giveUp = context.threads().nanoTime() + Nanos.of(atMost);
        String workflowId = wanted.workflowId();
        int shard = starter.shard(workflowId);
        while (true) {
            RunRow current = context.store().current(shard, workflowId).orElse(null);
            RunRow asked = current == null ? null : startedWith(shard, current, key);
            if (asked != null) {
                return await(shard, workflowId, key, asked.runId(), atMost, giveUp);
            } else if (current != null && isNewOnly) {
                throw new WorkflowIdTakenException(workflowId, current.runId());
            } else if (current != null) {
                try (UpdateCalls.Delivered delivered = deliver(shard, workflowId, key, update, wanted)) {
                    if (delivered != null) {
                        return delivered.await(atMost, giveUp);
                    }
                }
            }
            StartedRun started = starter.start(wanted);
            if (started.isNew()) {
                return await(shard, workflowId, key, started.runId(), atMost, giveUp);
            }
        }
    }

    /** Delivers the update. Returns null if the workflow id has no open run and a new one may start. */
    private UpdateCalls.@Nullable Delivered deliver(
            int shard, String workflowId, String key, Message.Update update, NewRun wanted) {
        try {
            return updates.deliver(shard, workflowId, key, update);
        } catch (DormouseException refused) {
            RunRow run = context.store().current(shard, workflowId).orElse(null);
            boolean mayStart =
                    run == null || !run.status().isClosed() || wanted.replaces().contains(run.status());
            if (mayStart && (refused.code() == ErrorCode.RUN_CLOSED || refused.code() == ErrorCode.RUN_NOT_FOUND)) {
                return null;
            }
            throw refused;
        }
    }

    private Event.UpdateAnswered await(
            int shard, String workflowId, String key, UUID runId, Duration atMost, long giveUp) {
        UpdateCalls.Question question =
                new UpdateCalls.Question(workflowId, key, UpdateCalls.WITH_START, atMost, giveUp);
        return updates.await(question, () -> holder(shard, workflowId, key, runId));
    }

    /** Returns the run that was started with the update, or the one that was reset to continue it. */
    private RunRow holder(int shard, String workflowId, String key, UUID runId) {
        RunRow current = context.store().current(shard, workflowId).orElse(null);
        if (current != null && current.runId().equals(runId)) {
            return current;
        }
        RunRow latest = current == null ? null : startedWith(shard, current, key);
        return latest == null ? context.find(shard, workflowId, runId) : latest;
    }

    /** Returns the run of a chain of continuations that was started with the update; null if none was. */
    private @Nullable RunRow startedWith(int shard, RunRow last, String key) {
        RunRow run = last;
        while (run != null) {
            Event.RunStarted started = context.started(run);
            if (UpdateCalls.isStartedWith(started, key)) {
                return run;
            }
            UUID before = started.origin().continues();
            run = before == null ? null : context.store().run(shard, before).orElse(null);
        }
        return null;
    }
}
