package dev.dormouse.internal.replay;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.Problem;
import dev.dormouse.internal.run.StepCall;
import dev.dormouse.internal.run.StepState;
import dev.dormouse.internal.run.StepTransition.Cause;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A call of the code that has not returned yet. Belongs to the run's coroutines. */
abstract sealed class Pending {
    final int call;
    final Made made;
    private boolean over;

    private Pending(int call, Made made) {
        this.call = call;
        this.made = made;
    }

    /** The time and the line of the code at which a call was made. The line is known in queries only. */
    record Made(Instant at, String line) {}

    /** Returns a description for readers outside of the run. */
    abstract OpenWait describe();

    boolean isOver() {
        return over;
    }

    void end() {
        over = true;
    }

    /** Returns the instant at which the call ends at the latest; null if it has no deadline. */
    abstract @Nullable Instant deadline();

    static final class Step extends Pending {
        final StepCall wanted;
        private StepCall.Standing standing = StepCall.Standing.NEW;
        private @Nullable StepResult result;
        private @Nullable StepFailure failure;

        Step(StepCall wanted, Made made) {
            super(wanted.call(), made);
            this.wanted = wanted;
        }

        @Override
        OpenWait describe() {
            Instant nextAt = standing.nextAt();
            return new OpenWait(call, OpenWait.Kind.STEP, wanted.name(), made.at, nextAt, nextAt != null, made.line);
        }

        /** Records that another attempt follows. Returns the call to execute next. */
        StepCall postponed(Event.StepPostponed event) {
            return now(standing.postponed(event));
        }

        /** Returns true if the next attempt begins after {@code at}, a time of the run, so that it can be moved. */
        boolean isWaiting(Instant at) {
            Instant nextAt = standing.state().isDue() ? standing.nextAt() : null;
            return nextAt != null && nextAt.isAfter(at);
        }

        /** Moves the next attempt. Returns the call to execute next. */
        StepCall moved(Instant to) {
            return now(standing.at(to));
        }

        /** Records that the end comes from outside, under a token. Returns the call in its new state. */
        StepCall handedOut(Event.StepHandedOut event) {
            return now(standing.handedOut(event));
        }

        /** Returns true if the message carries the current token. */
        boolean takes(Message.StepEnded end) {
            return standing.state() == StepState.HANDED_OUT && end.token().equals(standing.token());
        }

        /**
         * Records a failure from outside, after which another attempt may follow. Returns the call in its new state.
         */
        StepCall failedOutside(Problem why) {
            return now(standing.reported(why));
        }

        private StepCall now(StepCall.Standing next) {
            standing = next;
            return wanted.with(next);
        }

        void complete(Payload value) {
            standing = standing.to(StepState.COMPLETED, Cause.RECORD);
            result = new StepResult(value);
        }

        void fail(Failure why, int attempts) {
            standing = standing.to(StepState.FAILED, Cause.RECORD);
            failure = new StepFailure(wanted.name(), why, attempts);
        }

        /** Records that the code no longer waits for the step, which may still end. */
        void abandon() {
            standing = standing.to(StepState.ABANDONED, Cause.ABANDON);
        }

        boolean isAbandoned() {
            return standing.state() == StepState.ABANDONED;
        }

        @Override
        boolean isOver() {
            return standing.state().isOver();
        }

        StepResult outcome() {
            if (failure != null) {
                throw failure;
            }
            return Objects.requireNonNull(result);
        }

        @Override
        @Nullable
        Instant deadline() {
            return null;
        }
    }

    /** A child that was requested. */
    static final class Child extends Pending {
        final String workflowId;
        final UUID requestedRunId;
        final Scope scope;
        final boolean outlivesParent;
        boolean cancelled;
        private boolean started;
        private boolean refused;
        private UUID runId;
        private @Nullable Event end;

        /** @param outlivesParent true if it continues when its parent is cancelled or closed */
        Child(Event.ChildRequested asked, Scope scope, boolean outlivesParent, Made made) {
            super(asked.call(), made);
            this.workflowId = asked.workflowId();
            this.requestedRunId = asked.runId();
            this.runId = asked.runId();
            this.scope = scope;
            this.outlivesParent = outlivesParent;
            this.started = asked.start() == null || !asked.start().reported(); // then no report will come
        }

        @Override
        OpenWait describe() {
            return new OpenWait(call, OpenWait.Kind.CHILD, workflowId, made.at, null, false, made.line);
        }

        void started(UUID by) {
            runId = by;
            started = true;
        }

        /** Returns true if it has started or ended, or if its start is not reported. */
        boolean isStarted() {
            return started;
        }

        /** Returns the run that is the child. */
        UUID runId() {
            return runId;
        }

        /** @param isRefused true if it was not started */
        void end(Event event, boolean isRefused) {
            end = event;
            refused = isRefused;
            started = true;
            end();
        }

        boolean isRefused() {
            return refused;
        }

        @Nullable
        Event outcome() {
            return end;
        }

        @Override
        @Nullable
        Instant deadline() {
            return null;
        }
    }

    static final class Timer extends Pending {
        private final boolean isSleep;
        private Instant deadline;

        final Scope scope;
        private @Nullable String cancelledBecause;

        /** @param isSleep true if a coroutine waits for this timer and for nothing else */
        Timer(int call, Instant deadline, boolean isSleep, Scope scope, Made made) {
            super(call, made);
            this.deadline = deadline;
            this.isSleep = isSleep;
            this.scope = scope;
        }

        @Override
        OpenWait describe() {
            OpenWait.Kind kind = isSleep ? OpenWait.Kind.SLEEP : OpenWait.Kind.TIMER;
            return new OpenWait(call, kind, "", made.at, deadline, true, made.line);
        }

        void move(Instant to) {
            deadline = to;
        }

        void cancel(String reason) {
            if (!isOver() && cancelledBecause == null) {
                cancelledBecause = reason;
            }
        }

        @Nullable
        String cancelledBecause() {
            return cancelledBecause;
        }

        @Override
        Instant deadline() {
            return deadline;
        }
    }

    /** A wait for a condition. It is over if its deadline came first. */
    static final class Wait extends Pending {
        private final OpenWait.Kind kind;
        private final String name;
        final WaitEnd end;

        Wait(int call, OpenWait.Kind kind, String name, WaitEnd end, Made made) {
            super(call, made);
            this.kind = kind;
            this.name = name;
            this.end = end;
        }

        @Override
        OpenWait describe() {
            return new OpenWait(call, kind, name, made.at, deadline(), end.canMove(), made.line);
        }

        @Override
        @Nullable
        Instant deadline() {
            Instant instant = end.instant();
            return instant == null ? null : Deadlines.of(instant);
        }
    }
}
