package dev.dormouse.internal.engine.command;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.write.Batcher;
import dev.dormouse.internal.engine.write.Writers;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.run.NewRun;
import dev.dormouse.internal.run.StartedRun;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A start combined with the wait for the run's end. Wakes the caller once, with the result. A separate wake-up for the
 * start would double the cost of a short run on platform threads.
 *
 * <p><b>Threads.</b> The caller and a writer race: the writer reports the outcome of the start, and the caller may
 * leave before that. The monitor guards {@code hasBegun} and {@code callerLeft}, so that exactly one of the two threads
 * releases the reserved place if no run uses it.
 *
 * <p><b>Lost answers.</b> If the outcome is unknown, {@link #settle} throws, and the run may or may not exist. A second
 * start of the same workflow id returns that run if it exists, so it is started once.
 */
public final class AwaitedStart {
    private final NodeContext context;
    private final RunResults results;
    private final Starter starter;
    private final Starter.Opening opening;
    private final CompletableFuture<Event> end;
    private final Gate answered;
    private @Nullable StartOutcome answer;
    private Batcher.@Nullable Ticket<Start, StartOutcome> ticket;
    private boolean hasBegun;
    private boolean callerLeft;

    /** The exception that completes {@link #end} if the run has not begun on this node. Has no stack trace. */
    private static final class NotBegun extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotBegun() {
            super("not begun here", null, false, false);
        }
    }

    private AwaitedStart(NodeContext context, RunResults results, Starter starter, Starter.Opening opening) {
        this.context = context;
        this.results = results;
        this.starter = starter;
        this.opening = opening;
        this.end = results.await(runId());
        this.answered = context.threads().newGate();
    }

    /** Sends a start and registers for the end of its run. */
    public static AwaitedStart send(NodeContext context, RunResults results, Starter starter, NewRun wanted) {
        AwaitedStart call = new AwaitedStart(context, results, starter, starter.open(wanted));
        call.send();
        return call;
    }

    private void send() {
        ticket = context.writers(shard()).submit(opening.start(), this::answered);
    }

    public UUID runId() {
        return opening.start().runId();
    }

    private int shard() {
        return starter.shard(opening.start().workflowId());
    }

    /** Returns a future of the closing event. It fails if the run has not started on this node. */
    public CompletableFuture<Event> end() {
        return end;
    }

    /** Handles the outcome of the start. Called by a writer. */
    private void answered(StartOutcome outcome) {
        boolean abandoned;
        synchronized (this) {
            answer = begin(outcome);
            abandoned = !hasBegun && callerLeft;
        }
        answered.open();
        if (abandoned) {
            starter.abandon(opening);
        } else if (!hasBegun()) {
            end.completeExceptionally(new NotBegun());
        }
    }

    private StartOutcome begin(StartOutcome outcome) {
        try {
            hasBegun = starter.begins(opening, outcome);
            return outcome;
        } catch (RuntimeException | LinkageError | OutOfMemoryError | StackOverflowError problem) {
            return Writers.failedStart(problem); // a node claims it when its lease expires
        }
    }

    private synchronized boolean hasBegun() {
        return hasBegun;
    }

    /**
     * Waits until the run has ended, or until it has started and has lasted longer than a start may take. Returns false
     * if it has not started on this node.
     */
    public boolean awaitBegun() {
        try {
            context.threads().join(end, Writers.LONGEST_CALL);
            return leave();
        } catch (ExecutionException problem) {
            return !(problem.getCause() instanceof NotBegun) && leave();
        } catch (CancellationException closed) {
            return leave();
        } catch (TimeoutException late) {
            return hasBegun();
        } catch (
                InterruptedException
                        interrupted) { // ends the wait for the result, but not before the start is answered
            answered.pass(Writers.LONGEST_CALL);
            Thread.currentThread().interrupt();
            return hasBegun();
        }
    }

    /** Notes that the caller leaves because the end is known, perhaps before the outcome of the start. */
    private boolean leave() {
        boolean abandoned;
        synchronized (this) {
            abandoned = !callerLeft && !hasBegun && answer != null;
            callerLeft = true;
        }
        if (abandoned) {
            starter.abandon(opening);
        }
        return true;
    }

    /** Returns the result of the start, or throws if the start has failed or its outcome is unknown. */
    public StartedRun settle() {
        results.forget(runId(), end);
        StartOutcome outcome = lastHeard();
        return hasBegun() ? new StartedRun(runId(), true, RunStatus.RUNNING) : starter.settle(opening, outcome);
    }

    private StartOutcome lastHeard() {
        StartOutcome heard = answer();
        if (heard == null) {
            heard = context.writers(shard()).takeBack(Objects.requireNonNull(ticket));
        }
        if (heard == null) {
            answered.pass(); // it was sent and will be answered
            heard = Objects.requireNonNull(answer());
        }
        return heard;
    }

    private synchronized @Nullable StartOutcome answer() {
        return answer;
    }
}
