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
 * Sees to it that a cancel request reaches a run whose own thread is in a step, and reads its mail only after that: it
 * looks at the mail beside that thread, and interrupts the step. Only for the first request that is meant for the run:
 * what executes after it is clean-up.
 *
 * <p>{@link #look} may be called by any thread, all else belongs to the run's.
 */
final class CancelWatch {
    private static final int NO_STEP = -1;

    private final NodeContext context;
    private final RunInbox inbox;
    private final Steps steps;
    private final UUID chain;
    private final AtomicInteger looks = new AtomicInteger();
    private volatile int stepHere = NO_STEP;
    private volatile boolean seen;
    private volatile boolean comes;

    /** @param chain how cancel requests name the run */
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

    /** The code is given this item. */
    void taken(InboxMessage item) {
        seen |= isForUs(item);
    }

    private boolean isForUs(InboxMessage item) {
        return item.kind() == Message.CANCEL
                && MessageCodec.decode(item.kind(), item.payload()) instanceof Message.Cancel cancel
                && (cancel.runId() == null || cancel.runId().equals(chain));
    }

    /** Executes a wanted step on this thread. */
    EndedAttempt runHere(StepCall step, @Nullable Connection connection) {
        try {
            return steps.runHere(step, connection, step.detached() ? call -> {} : this::begun);
        } finally {
            stepHere = NO_STEP;
        }
    }

    private void begun(int call) {
        stepHere = call;
        if (inbox.hasNews()) {
            look();
        }
    }

    /** Something may have come in. One thread looks at a time, and once more if it was told meanwhile. */
    void look() {
        if (stepHere == NO_STEP || seen || !inbox.hasNews() || looks.getAndIncrement() > 0) {
            return;
        }
        context.threads().startEngine("look for cancel", () -> {
            int told;
            do {
                told = looks.get();
                lookNow();
            } while (!looks.compareAndSet(told, 0));
        });
    }

    private void lookNow() {
        int step = stepHere;
        if (step != NO_STEP && inbox.peek().stream().anyMatch(this::isForUs)) {
            steps.interrupt(step, () -> comes = true);
        }
    }

    /** Whether a cancel request has interrupted a step, so that it is to be taken before the step's end. */
    boolean comes() {
        return comes;
    }

    void over() {
        comes = false;
    }
}
