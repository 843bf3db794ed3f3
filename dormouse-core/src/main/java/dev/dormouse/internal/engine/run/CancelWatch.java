package dev.dormouse.internal.engine.run;

import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.internal.run.StepCall;
import dev.dormouse.store.run.InboxMessage;
import java.sql.Connection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A watch for cancel requests to a run whose own thread executes a step, and reads its inbox only afterwards. It looks
 * at the inbox on another thread and interrupts the step.
 *
 * <p>Only the first cancel request for the run does this: steps that execute after it are clean-up. Detached steps
 * are not interrupted.
 *
 * <p><b>Threads.</b> {@link #look} may be called by any thread; everything else is confined to the run's thread. The
 * interrupt is best effort: a request that arrives after the step has ended interrupts nothing, and the code takes it
 * as its next input.
 */
final class CancelWatch {
    private static final int NO_STEP = -1;

    private final NodeContext context;
    private final RunInbox inbox;
    private final Steps steps;
    private final UUID chain;
    private final AtomicInteger looks = new AtomicInteger();
    private volatile int runningStep = NO_STEP;
    private volatile boolean isCancelTaken;
    private volatile boolean hasInterrupted;

    /** @param chain the id by which cancel requests name the run */
    CancelWatch(NodeContext context, RunInbox inbox, Steps steps, UUID chain, List<Event> recorded) {
        this.context = context;
        this.inbox = inbox;
        this.steps = steps;
        this.chain = chain;
        for (Event event : recorded) {
            if (event instanceof Event.MailReceived received) {
                received.items().forEach(this::taken);
            }
        }
    }

    /** Notes that the code takes this message. */
    void taken(InboxMessage item) {
        isCancelTaken |= isCancelOfThisRun(item);
    }

    private boolean isCancelOfThisRun(InboxMessage item) {
        return item.kind() == Message.CANCEL
                && MessageCodec.decode(item.kind(), item.payload()) instanceof Message.Cancel cancel
                && (cancel.runId() == null || cancel.runId().equals(chain));
    }

    /** Executes a wanted step on the calling thread. */
    EndedAttempt runOnThisThread(StepCall step, @Nullable Connection connection) {
        try {
            return steps.runOnThisThread(step, connection, step.detached() ? call -> {} : this::begun);
        } finally {
            runningStep = NO_STEP;
        }
    }

    private void begun(int call) {
        runningStep = call;
        if (inbox.mayHaveUnread()) {
            look();
        }
    }

    /**
     * Looks for a cancel request if a message may have arrived. One thread looks at a time, and again if this is
     * called meanwhile.
     */
    void look() {
        if (runningStep == NO_STEP || isCancelTaken || !inbox.mayHaveUnread() || looks.getAndIncrement() > 0) {
            return;
        }
        context.threads().startEngine("look for cancel", () -> {
            int calls;
            do {
                calls = looks.get();
                lookNow();
            } while (!looks.compareAndSet(calls, 0));
        });
    }

    private void lookNow() {
        int step = runningStep;
        if (step != NO_STEP && inbox.peek().stream().anyMatch(this::isCancelOfThisRun)) {
            inbox.look(); // the run must find the request too, although no notice of it may have come yet
            steps.interrupt(step, () -> hasInterrupted = true);
        }
    }

    /**
     * Returns true if a cancel request has interrupted a step, so that the code must take the request before the end
     * of the step.
     */
    boolean hasInterrupted() {
        return hasInterrupted;
    }

    /** Forgets the interrupt, once no message precedes the next end of a step. */
    void clear() {
        hasInterrupted = false;
    }
}
