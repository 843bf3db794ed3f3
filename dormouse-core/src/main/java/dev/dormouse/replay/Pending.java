package dev.dormouse.replay;

import dev.dormouse.codec.Payload;
import dev.dormouse.history.Failure;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A call of the code that has not returned yet. */
abstract sealed class Pending {
    final int call;
    private boolean over;

    private Pending(int call) {
        this.call = call;
    }

    boolean isOver() {
        return over;
    }

    void end() {
        over = true;
    }

    /** The instant at which it is over, null when time does not matter. */
    abstract @Nullable Instant deadline();

    static final class Step extends Pending {
        final String name;
        private @Nullable Payload result;
        private @Nullable Failure failure;

        Step(int call, String name) {
            super(call);
            this.name = name;
        }

        void complete(Payload value) {
            result = value;
            end();
        }

        void fail(Failure why) {
            failure = why;
            end();
        }

        Payload outcome() {
            if (failure != null) {
                throw new StepFailure(name, failure);
            }
            return result == null ? Payload.NOTHING : result;
        }

        @Override
        @Nullable
        Instant deadline() {
            return null;
        }
    }

    static final class Timer extends Pending {
        private final Instant deadline;

        Timer(int call, Instant deadline) {
            super(call);
            this.deadline = deadline;
        }

        @Override
        Instant deadline() {
            return deadline;
        }
    }

    /** A wait for a condition; over when its time was up first. */
    static final class Wait extends Pending {
        private final @Nullable Instant deadline;

        Wait(int call, @Nullable Instant deadline) {
            super(call);
            this.deadline = deadline;
        }

        @Override
        @Nullable
        Instant deadline() {
            return deadline;
        }
    }
}
