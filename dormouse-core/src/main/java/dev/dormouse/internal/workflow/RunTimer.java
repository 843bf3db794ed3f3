package dev.dormouse.internal.workflow;

import dev.dormouse.TimerChange;
import dev.dormouse.TimerPolicy;
import dev.dormouse.UpdatableTimer;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.TimerRefusedException;
import dev.dormouse.internal.replay.Deadlines;
import dev.dormouse.internal.replay.OpenWait;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.replay.WaitEnd;
import dev.dormouse.internal.value.Arguments;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A wait of a run whose deadline is a field, so that it can be moved. Not thread-safe: belongs to the run's coroutines,
 * which execute one at a time.
 */
final class RunTimer implements UpdatableTimer {
    private enum State {
        NEW,
        WAITING,
        OVER
    }

    private final Replay run;
    private final String name;
    private final TimerPolicy policy;
    private final ArrayDeque<TimerChange> changes = new ArrayDeque<>();
    private State state = State.NEW;
    private int moved;
    private @Nullable Instant wakeUpTime;

    RunTimer(Replay run, String name, TimerPolicy policy) {
        this.run = run;
        this.name = name;
        this.policy = policy;
    }

    @Override
    public void sleepUntil(Instant instant) {
        await(OpenWait.Kind.TIMER, instant, () -> false);
    }

    @Override
    public boolean await(Instant instant, Supplier<Boolean> condition) {
        return await(OpenWait.Kind.CONDITION, instant, condition);
    }

    private boolean await(OpenWait.Kind kind, Instant instant, Supplier<Boolean> condition) {
        Arguments.required(instant, "an instant");
        Arguments.required(condition, "a condition");
        if (state == State.WAITING) {
            throw new DormouseException(
                    ErrorCode.NOT_ALLOWED_HERE,
                    "Expected one wait at a time on timer '" + name
                            + "', but another coroutine waits on it. Create one timer per coroutine.");
        }
        if (state == State.OVER || wakeUpTime == null) {
            wakeUpTime = instant;
        }
        state = State.WAITING;
        try {
            return run.await(kind, name, new End(), condition::get);
        } finally {
            state = State.OVER;
        }
    }

    /** The deadline of the wait: the field's current value. The policy decides if it may be moved. */
    private final class End implements WaitEnd {
        @Override
        public @Nullable Instant instant() {
            return wakeUpTime;
        }

        @Override
        public boolean canMove() {
            return true;
        }

        @Override
        public void move(Instant to, String reason) {
            updateWakeUpTime(to, reason);
        }
    }

    @Override
    public void updateWakeUpTime(Instant instant, String reason) {
        run.checkMayAct("updateWakeUpTime");
        Arguments.required(reason, "a reason");
        Deadlines.of(Arguments.required(instant, "an instant")); // throws if no store can hold it
        String refusal =
                state == State.OVER ? "its wait is over" : refusal(policy, wakeUpTime, instant, run.now(), moved);
        note(new TimerChange(run.now(), Optional.ofNullable(wakeUpTime), instant, reason, refusal));
        if (!refusal.isEmpty()) {
            throw new TimerRefusedException(name, instant, refusal);
        }
        moved++;
        wakeUpTime = instant;
    }

    /** Returns the reason why a change is refused, as the end of a sentence; empty if it is allowed. */
    private static String refusal(
            TimerPolicy policy, @Nullable Instant before, Instant wanted, Instant now, int changes) {
        if (changes >= policy.maxChanges()) {
            return "it was moved " + changes + " times, and may be no more often";
        } else if (policy.onlyFuture() && !wanted.isAfter(now)) {
            return wanted + " has passed, and it may only be moved into the future";
        } else if (policy.onlyLater() && before != null && !wanted.isAfter(before)) {
            return "it ends at " + before + ", and may only be moved to a later instant than that";
        } else if (policy.latest().isPresent() && wanted.isAfter(policy.latest().get())) {
            return "it may never be moved beyond " + policy.latest().get();
        }
        return "";
    }

    private void note(TimerChange change) {
        changes.add(change);
        if (changes.size() > KEPT) {
            changes.remove();
        }
        ReplayLogger.of(run)
                .info(
                        "Timer '{}' of {}: {} -> {} {} {}",
                        name,
                        run.run().workflowId(),
                        change.from().map(Instant::toString).orElse("-"),
                        change.to(),
                        change.reason(),
                        change.refusal().isEmpty() ? "" : "refused: " + change.refusal());
    }

    @Override
    public @Nullable Instant wakeUpTime() {
        return wakeUpTime;
    }

    @Override
    public List<TimerChange> changes() {
        return List.copyOf(changes);
    }
}
