package dev.dormouse.internal.engine.command;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.write.Writers;
import dev.dormouse.internal.run.NewRun;
import dev.dormouse.internal.run.StartedRun;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.run.StartOutcome;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A start that was sent without waiting for its outcome, so that many starts share a batch. A run that starts on this
 * node begins as soon as its start is committed. The caller calls {@link #settle} once, in any case, because a place
 * on this node may be reserved for the run.
 *
 * <p>Thread-safe: the gate opens after the outcome is set, and {@link #settle} passes it first.
 */
public final class SentStart {
    private final Starter starter;
    private final Starter.Opening opening;
    private final Gate answered;
    private final CallTimer timer;
    private volatile @Nullable StartOutcome answer;
    private volatile boolean hasBegun;
    private volatile CallTimer.@Nullable Entry limit;

    private SentStart(NodeContext context, CallTimer timer, Starter starter, Starter.Opening opening) {
        this.starter = starter;
        this.opening = opening;
        this.timer = timer;
        this.answered = context.threads().newGate();
    }

    /**
     * Sends a start. Its outcome is known after {@link Writers#LONGEST_CALL} at the latest.
     *
     * @param whenAnswered called by a writer when the outcome is known; must be quick
     */
    public static SentStart send(
            NodeContext context, CallTimer timer, Starter starter, NewRun wanted, Consumer<SentStart> whenAnswered) {
        SentStart sent = new SentStart(context, timer, starter, starter.open(wanted));
        int shard = starter.shard(wanted.workflowId());
        Runnable takeBack = context.writers(shard).send(sent.opening.start(), outcome -> {
            sent.answered(outcome);
            whenAnswered.accept(sent);
        });
        sent.limit(takeBack);
        return sent;
    }

    private void limit(Runnable takeBack) {
        limit = timer.in(Writers.LONGEST_CALL, takeBack);
        if (answer != null) {
            timer.cancel(limit);
        }
    }

    private void answered(StartOutcome outcome) {
        answer = begin(outcome);
        timer.cancel(limit);
        answered.open();
    }

    private StartOutcome begin(StartOutcome outcome) {
        try {
            hasBegun = starter.begins(opening, outcome);
            return outcome;
        } catch (RuntimeException | LinkageError | OutOfMemoryError | StackOverflowError problem) {
            return Writers.failedStart(problem); // a node claims it when its lease expires
        }
    }

    /**
     * Waits for the outcome and handles it. Returns the run, which may be an existing one.
     *
     * @throws dev.dormouse.error.DormouseException if the run was not started, or if that is unknown
     */
    public StartedRun settle() {
        answered.pass();
        return hasBegun
                ? new StartedRun(opening.start().runId(), true, RunStatus.RUNNING)
                : starter.settle(opening, Objects.requireNonNull(answer));
    }
}
