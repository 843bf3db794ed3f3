package dev.dormouse.internal.replay;

import dev.dormouse.internal.history.Event;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A child that the code has requested and may wait for later. */
record ChildCall(Replay run, OpenCalls calls, Pending.Child child) implements PendingChild {

    @Override
    public boolean isOver() {
        return child.isOver();
    }

    @Override
    public @Nullable String cancelledBecause() {
        return null;
    }

    @Override
    public @Nullable Event end() {
        return child.outcome();
    }

    @Override
    public boolean isStarted() {
        return child.isStarted();
    }

    @Override
    public boolean isRefused() {
        return child.isRefused();
    }

    @Override
    public UUID runId() {
        return child.runId();
    }

    @Override
    public void cancel(String reason) {
        run.checkMayAct("cancel");
        calls.cancel(child, reason);
    }
}
