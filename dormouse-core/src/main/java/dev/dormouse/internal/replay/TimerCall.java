package dev.dormouse.internal.replay;

import dev.dormouse.internal.history.Event;
import org.jspecify.annotations.Nullable;

/** A timer that the code has set and may wait for later. */
record TimerCall(Replay run, OpenCalls calls, Pending.Timer timer) implements PendingCall {

    @Override
    public boolean isOver() {
        return timer.isOver() || timer.cancelledBecause() != null;
    }

    @Override
    public @Nullable String cancelledBecause() {
        return timer.cancelledBecause();
    }

    @Override
    public @Nullable Event end() {
        return null;
    }

    @Override
    public void cancel(String reason) {
        run.checkMayAct("cancel");
        calls.cancel(timer, reason);
    }
}
