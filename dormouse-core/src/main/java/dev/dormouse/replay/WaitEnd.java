package dev.dormouse.replay;

import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** When a wait for a condition ends without it. Belongs to the run's coroutines. */
public interface WaitEnd {

    /** Null for never; it may change while the wait lasts. */
    @Nullable
    Instant instant();

    /** Whether somebody outside of the run may move it. */
    default boolean canMove() {
        return false;
    }

    /** Moves it, because somebody outside of the run asks for it; throws where that is refused. */
    default void move(Instant to, String reason) {
        throw new UnsupportedOperationException();
    }

    /** One that the code itself moves, or nobody. */
    static WaitEnd of(Supplier<@Nullable Instant> instant) {
        return instant::get;
    }

    static WaitEnd never() {
        return () -> null;
    }

    /** One that stays where it is, unless somebody moves it. */
    static WaitEnd at(Instant instant) {
        return new Movable(instant);
    }

    /** A field that can be set. */
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
