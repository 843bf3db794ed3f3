package dev.dormouse.internal.workflow;

import dev.dormouse.error.CancelledException;
import dev.dormouse.error.DormouseException;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.RetryAdvice;
import dev.dormouse.internal.replay.PendingChild;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.replay.Scope;
import dev.dormouse.internal.run.StepPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A child that is requested again after a failure or a timeout, until its retry policy is used up. A coroutine waits for
 * the end of each attempt, sleeps, and requests the next one. So a replay needs no events besides those of timers and
 * children. A delay is drawn from the random numbers of the run, which are the same in every replay.
 *
 * <p>A child is not requested again if it was cancelled or terminated, if it was not started, or if the scope of the
 * code that requested it is cancelled. Belongs to the run's coroutines.
 */
final class RetriedChild implements PendingChild {
    private static final int BITS = 53;

    private final Replay run;
    private final StepPolicy policy;
    private final Supplier<PendingChild> next;
    private final PendingChild first;
    private final Instant begin;
    private final Scope scope;
    private PendingChild current;
    private int attempts = 1;
    private boolean isCancelled;
    private boolean isOver;
    private @Nullable Event end;

    /**
     * Creates a child whose first attempt was requested.
     *
     * @param next requests a further attempt
     */
    RetriedChild(Replay run, StepPolicy policy, PendingChild first, Supplier<PendingChild> next) {
        this.run = run;
        this.policy = policy;
        this.next = next;
        this.first = first;
        this.current = first;
        this.begin = run.now();
        this.scope = run.async("retries of a child", this::repeat);
    }

    private void repeat() {
        Scope untilTheEnd = run.newScope(true);
        while (!isOver) {
            run.within(untilTheEnd, () -> run.until(current::isOver)); // a cancelled attempt still ends by itself
            Duration delay = delay(current.end());
            if (delay == null) {
                end = current.end();
                isOver = true;
            } else {
                pause(delay);
            }
        }
    }

    private void pause(Duration delay) {
        try {
            run.sleep(delay);
            attempts++;
            current = next.get();
        } catch (CancelledException cancelled) {
            isOver = true;
        } catch (DormouseException tooLate) {
            end = current.end(); // no store can hold the end of the delay
            isOver = true;
        }
    }

    /** Returns the delay before the next attempt; null if there is none. */
    private @Nullable Duration delay(@Nullable Event ended) {
        boolean isFailure = ended instanceof Event.RunFailed || ended instanceof Event.RunTimedOut;
        if (ended == null || !isFailure || isCancelled || scope.isCancelled() || current.isRefused()) {
            return null;
        }
        double chance = (run.randomUuid().getLeastSignificantBits() & (1L << BITS) - 1) / (double) (1L << BITS);
        RetryAdvice advice = new RetryAdvice(false, null, types(ended));
        return policy.retryIn(attempts, advice, Duration.between(begin, run.now()), chance);
    }

    /** Returns the types of the exception with which the child failed, and of its causes. */
    private static List<String> types(Event ended) {
        List<String> types = new ArrayList<>();
        Failure failure = ended instanceof Event.RunFailed failed ? failed.failure() : null;
        for (Failure cause = failure; cause != null; cause = cause.cause()) {
            types.add(cause.type());
        }
        return types;
    }

    @Override
    public boolean isOver() {
        return isOver;
    }

    @Override
    public @Nullable String cancelledBecause() {
        return null;
    }

    /** Returns the closing event of the last attempt; null if it was cancelled before the next one. */
    @Override
    public @Nullable Event end() {
        return end;
    }

    @Override
    public void cancel(String reason) {
        isCancelled = true;
        current.cancel(reason);
        run.cancel(scope, reason);
    }

    @Override
    public boolean isStarted() {
        return first.isStarted();
    }

    @Override
    public boolean isRefused() {
        return first.isRefused();
    }

    @Override
    public UUID runId() {
        return first.runId();
    }
}
