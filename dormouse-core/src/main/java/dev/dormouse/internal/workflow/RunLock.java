package dev.dormouse.internal.workflow;

import dev.dormouse.WorkflowLock;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.replay.Deadlines;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.value.Arguments;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A lock of a run. The first of the waiting tickets holds it. Not thread-safe: belongs to the run's coroutines, which
 * execute one at a time.
 */
final class RunLock implements WorkflowLock {
    private final Replay run;
    private final ArrayDeque<Object> tickets = new ArrayDeque<>();

    RunLock(Replay run) {
        this.run = run;
    }

    @Override
    public void lock() {
        lock(null);
    }

    @Override
    public boolean tryLock(Duration atMost) {
        return lock(Deadlines.plus(run.now(), Arguments.required(atMost, "a duration")));
    }

    private boolean lock(@Nullable Instant deadline) {
        Object ticket = new Object();
        tickets.add(ticket);
        boolean isHeld = false;
        try {
            isHeld = run.await(deadline, () -> tickets.peek() == ticket);
            return isHeld;
        } finally {
            if (!isHeld) {
                tickets.remove(ticket);
            }
        }
    }

    @Override
    public void unlock() {
        if (tickets.poll() == null) {
            throw new DormouseException(
                    ErrorCode.NOT_ALLOWED_HERE,
                    "Expected unlock() of a lock that is held, but it is free. Call lock() first, and unlock() once for it.");
        }
    }

    @Override
    public boolean isLocked() {
        return !tickets.isEmpty();
    }
}
