package dev.dormouse.engine;

import org.jspecify.annotations.Nullable;

/**
 * A wait of the calling thread for another run. If the thread executes a step, the step's run lends its place on this
 * node to others until the wait ends, because one of them may be the run that it waits for.
 */
public final class PlaceLoan implements AutoCloseable {
    private static final PlaceLoan NONE = new PlaceLoan(null);

    private final @Nullable LentPlace lent;

    private PlaceLoan(@Nullable LentPlace lent) {
        this.lent = lent;
    }

    /**
     * Begins a wait. Does nothing on a thread that does not execute a step. Loans may be nested.
     *
     * @throws dev.dormouse.error.DormouseException TOO_MANY_WAITS if too many runs of the node wait like this
     */
    public static PlaceLoan begin() {
        Attempt waiting = Attempt.current();
        if (waiting == null) {
            return NONE;
        }
        LentPlace place = waiting.place();
        place.lend(waiting.step().name());
        return new PlaceLoan(place);
    }

    @Override
    public void close() {
        if (lent != null) {
            lent.takeBack();
        }
    }
}
