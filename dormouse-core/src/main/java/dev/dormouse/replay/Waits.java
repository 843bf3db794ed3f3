package dev.dormouse.replay;

import dev.dormouse.history.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** How a run's code waits: for time, for conditions, and for what it has called. */
final class Waits {
    private final Fibers fibers;
    private final Ledger ledger;
    private final OpenCalls calls;
    private final LookOnly lookOnly;

    Waits(Fibers fibers, Ledger ledger, OpenCalls calls, LookOnly lookOnly) {
        this.fibers = fibers;
        this.ledger = ledger;
        this.calls = calls;
        this.lookOnly = lookOnly;
    }

    /** Sleeps for so long from now; zero and less return at once. */
    void sleep(Duration duration) {
        if (!duration.isNegative() && !duration.isZero()) {
            sleep(schedule(duration));
        }
    }

    /** Sleeps until an instant, whether or not it has passed. */
    void sleepUntil(Instant deadline) {
        sleep(schedule(from -> deadline));
    }

    private void sleep(Pending.Timer timer) {
        try {
            block(timer::isOver);
        } finally {
            calls.remove(timer);
        }
    }

    /** Sets a timer that fires so long from now. */
    Pending.Timer schedule(Duration duration) {
        Deadlines.plus(ledger.now(), duration); // the same in every replay: too long is too long
        return schedule(from -> Deadlines.atMost(from, duration));
    }

    private Pending.Timer schedule(UnaryOperator<Instant> deadline) {
        int call = ledger.nextCall();
        ledger.check(call, "a sleep", event -> event instanceof Event.TimerScheduled);
        Event.TimerScheduled set =
                ledger.command(Event.TimerScheduled.class, timer -> timer.call() == call, "sleeps", () -> {
                    Instant at = ledger.stamp();
                    return new Event.TimerScheduled(at, call, deadline.apply(at));
                });
        return calls.timer(call, set.deadline(), fibers.scope());
    }

    /**
     * Waits until a condition holds.
     *
     * @param deadline when to give up, null for never; it may move
     * @param never whether there is no deadline
     * @return false when the time was up first
     */
    boolean await(Supplier<@Nullable Instant> deadline, boolean never, BooleanSupplier condition) {
        if (lookOnly.test(condition, never)) {
            return true;
        }
        Instant first = deadline.get();
        if (first != null && !Deadlines.of(first).isAfter(ledger.now())) {
            return false;
        }
        int call = ledger.nextCall();
        ledger.check(call, "a wait", event -> event instanceof Event.WaitTimedOut);
        Pending.Wait wait = calls.await(call, deadline);
        try {
            block(() -> wait.isOver() || lookOnly.test(condition, never));
        } finally {
            calls.remove(wait);
        }
        return !wait.isOver();
    }

    /** Blocks until this holds, or the scope is cancelled. */
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
