package dev.dormouse.replay;

import dev.dormouse.history.Event;
import org.jspecify.annotations.Nullable;

/** Something that the code has asked for and not waited for yet. Belongs to the run's coroutines. */
public interface PendingCall {

    /** Whether it has come to an end, or was cancelled. */
    boolean isOver();

    /** Why it was cancelled; null when it was not. */
    @Nullable
    String cancelledBecause();

    /** The end of a child; null for a timer, and while it is not over. */
    @Nullable
    Event end();

    /** Does not wait for it any more. A timer never fires then; a child is asked to come to an end. */
    void cancel(String reason);
}
