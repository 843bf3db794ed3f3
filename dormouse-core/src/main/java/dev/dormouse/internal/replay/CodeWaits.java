package dev.dormouse.internal.replay;

import dev.dormouse.internal.history.Event;
import dev.dormouse.store.base.Micros;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The blocking calls of a run's code: for time, for conditions, and for calls to end. Belongs to the run's coroutines.
 */
final class CodeWaits {
    private final Fibers fibers;
    private final Ledger ledger;
    private final OpenCalls calls;
    private final ReadOnlyGuard readOnlyGuard;

    CodeWaits(Fibers fibers, Ledger ledger, OpenCalls calls, ReadOnlyGuard readOnlyGuard) {
        this.fibers = fibers;
        this.ledger = ledger;
        this.calls = calls;
        this.readOnlyGuard = readOnlyGuard;
    }

    /** Sleeps for {@code duration}. Returns immediately if it is zero or negative. */
    void sleep(Duration duration) {
        if (!duration.isNegative() && !duration.isZero()) {
            sleep(schedule(duration, true));
        }
    }

    /** Sleeps until {@code instant}. Returns immediately if it has passed. */
    void sleepUntil(Instant instant) {
        if (instant.isAfter(ledger.now())) {
            Instant deadline = Micros.roundUp(instant);
            sleep(schedule(from -> deadline, true));
        }
    }

    private void sleep(Pending.Timer timer) {
        try {
            block(timer::isOver);
        } finally {
            calls.remove(timer);
        }
    }

    /** Sets a timer that fires {@code duration} from now. */
    Pending.Timer timer(Duration duration) {
        return schedule(duration, false);
    }

    private Pending.Timer schedule(Duration duration, boolean isSleep) {
        Deadlines.plus(ledger.now(), duration); // depends on the run's time only, so that every replay fails alike
        return schedule(from -> Deadlines.atMost(from, duration), isSleep);
    }

    private Pending.Timer schedule(UnaryOperator<Instant> deadline, boolean isSleep) {
        int call = ledger.nextCall();
        ledger.check(call, "a sleep", event -> event instanceof Event.TimerScheduled);
        Event.TimerScheduled set =
                ledger.command(Event.TimerScheduled.class, timer -> timer.call() == call, "sleeps", () -> {
                    Instant at = ledger.stamp();
                    return new Event.TimerScheduled(at, call, deadline.apply(at));
                });
        return calls.timer(call, set.deadline(), isSleep, fibers.scope());
    }

    /** Waits until {@code ready} holds, without a deadline and without a trace in the history. */
    void until(BooleanSupplier ready) {
        if (!ready.getAsBoolean()) {
            fibers.checkScope();
            block(ready);
        }
    }

    /**
     * Waits until a condition holds, or until {@code deadline}; null for no deadline. Returns false if the deadline
     * came first.
     */
    boolean await(@Nullable Instant deadline, BooleanSupplier condition) {
        WaitEnd end = deadline == null ? WaitEnd.never() : WaitEnd.at(deadline);
        return await(OpenWait.Kind.CONDITION, "", end, deadline == null, condition);
    }

    /**
     * Waits until a condition holds.
     *
     * @param end the deadline, which may move
     * @param never true if there is no deadline
     * @return false if the deadline came first
     */
    boolean await(OpenWait.Kind kind, String name, WaitEnd end, boolean never, BooleanSupplier condition) {
        if (readOnlyGuard.test(condition, never)) {
            return true;
        }
        Instant first = end.instant();
        if (first != null && !Deadlines.of(first).isAfter(ledger.now())) {
            return false;
        }
        int call = ledger.nextCall();
        ledger.check(call, "a wait", event -> event instanceof Event.WaitTimedOut);
        Pending.Wait wait = calls.await(call, kind, name, end);
        try {
            block(() -> wait.isOver() || readOnlyGuard.test(condition, never));
        } finally {
            calls.remove(wait);
        }
        return !wait.isOver();
    }

    /**
     * Blocks until {@code ready} holds.
     *
     * @throws dev.dormouse.error.CancelledException if the scope was cancelled first
     */
    void block(BooleanSupplier ready) {
        Scope scope = fibers.scope();
        boolean[] met = {false};
        fibers.block(() -> {
            met[0] = ready.getAsBoolean();
            return met[0] || scope.isCancelled();
        });
        if (!met[0]) {
            scope.check();
        }
    }
}
