package dev.dormouse.replay;

import dev.dormouse.codec.Payload;
import dev.dormouse.engine.StepCall;
import dev.dormouse.history.Event;
import dev.dormouse.history.Failure;
import dev.dormouse.history.Message;
import dev.dormouse.history.Problem;
import dev.dormouse.history.Tried;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A call of the code that has not returned yet. */
abstract sealed class Pending {
    final int call;
    final Made made;
    private boolean over;

    private Pending(int call, Made made) {
        this.call = call;
        this.made = made;
    }

    /** When and where the code made a call; where is known in queries only. */
    record Made(Instant at, String line) {}

    /** The same for who looks from outside. */
    abstract OpenWait describe();

    boolean isOver() {
        return over;
    }

    void end() {
        over = true;
    }

    /** The instant at which it is over, null when time does not matter. */
    abstract @Nullable Instant deadline();

    static final class Step extends Pending {
        final StepCall wanted;
        private @Nullable UUID token;
        private @Nullable Tried tried;
        private @Nullable StepResult result;
        private @Nullable StepFailure failure;
        private StepCall.@Nullable Standing backOff;
        private boolean abandoned;

        Step(StepCall wanted, Made made) {
            super(wanted.call(), made);
            this.wanted = wanted;
        }

        @Override
        OpenWait describe() {
            Instant nextAt = backOff == null ? null : backOff.nextAt();
            return new OpenWait(call, OpenWait.Kind.STEP, wanted.name(), made.at, nextAt, nextAt != null, made.line);
        }

        /** There is another attempt to come. */
        StepCall postponed(Event.StepPostponed event) {
            token = null; // whoever has it is too late
            boolean paused = event.failure() == null;
            return waiting(new StepCall.Standing(event.tried(), event.nextAt(), paused, null, null, event.failure()));
        }

        /** Whether the next attempt is still to begin at an instant of the run, so that it can be moved. */
        boolean isWaiting(Instant at) {
            Instant nextAt = backOff == null || isOver() || abandoned ? null : backOff.nextAt();
            return nextAt != null && nextAt.isAfter(at);
        }

        /** The next attempt begins at another instant. */
        StepCall moved(Instant to) {
            return waiting(Objects.requireNonNull(backOff).at(to));
        }

        private StepCall waiting(StepCall.Standing standing) {
            backOff = standing;
            return wanted.with(standing);
        }

        /** Its end comes from outside. */
        StepCall handedOut(Event.StepHandedOut event) {
            token = event.token();
            backOff = null;
            tried = event.tried();
            return wanted.with(new StepCall.Standing(tried, null, false, token, null, null));
        }

        /** Whether this is the end that it waits for. */
        boolean takes(Message.StepEnded end) {
            return end.token().equals(token);
        }

        /** It was failed from outside, so that there may be another attempt. */
        StepCall failedOutside(Problem why) {
            token = null;
            return wanted.with(new StepCall.Standing(tried, null, false, null, why, null));
        }

        void complete(Payload value) {
            result = new StepResult(value);
            end();
        }

        void fail(Failure why, int attempts) {
            failure = new StepFailure(wanted.name(), why, attempts);
            end();
        }

        /** Nobody waits for it any more; it may still come to an end. */
        void abandon() {
            abandoned = true;
        }

        boolean isAbandoned() {
            return abandoned;
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

    /** A child that was asked for. */
    static final class Child extends Pending {
        final String workflowId;
        final UUID runId;
        final Scope scope;
        final boolean goesOn;
        boolean cancelled;
        private @Nullable Event end;

        /** @param goesOn also when its parent does not */
        Child(int call, String workflowId, UUID runId, Scope scope, boolean goesOn, Made made) {
            super(call, made);
            this.workflowId = workflowId;
            this.runId = runId;
            this.scope = scope;
            this.goesOn = goesOn;
        }

        @Override
        OpenWait describe() {
            return new OpenWait(call, OpenWait.Kind.CHILD, workflowId, made.at, null, false, made.line);
        }

        void end(Event event) {
            end = event;
            end();
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

        /** @param isSleep whether the code waits for it and for nothing else */
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

    /** A wait for a condition; over when its time was up first. */
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
