package dev.dormouse.internal.replay;

import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The deadline of a wait for a condition. Belongs to the run's coroutines. */
public interface WaitEnd {

    /** Returns the deadline; null for never. It may change during the wait. */
    @Nullable
    Instant instant();

    /** Returns true if a caller outside of the run can move it. Default: false. */
    default boolean canMove() {
        return false;
    }

    /**
     * Moves the deadline, because a caller outside of the run requests it. Throws if that is refused. Default: always
     * refused.
     */
    default void move(Instant to, String reason) {
        throw new UnsupportedOperationException();
    }

    /** Returns a deadline that only the code itself can move. */
    static WaitEnd of(Supplier<@Nullable Instant> instant) {
        return instant::get;
    }

    static WaitEnd never() {
        return () -> null;
    }

    /** Returns a deadline that can be moved from outside. */
    static WaitEnd at(Instant instant) {
        return new Movable(instant);
    }

    /** A deadline that can be moved. */
    final class Movable implements WaitEnd {
        private Instant instant;

        private Movable(Instant instant) {
            this.instant = instant;
        }

        @Override
        public Instant instant() {
            return instant;
        }

        @Override
        public boolean canMove() {
            return true;
        }

        @Override
        public void move(Instant to, String reason) {
            instant = to;
        }
    }
}
