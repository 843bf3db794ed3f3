package dev.dormouse.internal.replay;

import dev.dormouse.internal.history.Event;
import org.jspecify.annotations.Nullable;

/** A timer or child that the code has requested and may wait for later. Belongs to the run's coroutines. */
public interface PendingCall {

    /** Returns true if it has ended or was cancelled. */
    boolean isOver();

    /** Returns why it was cancelled; null if it was not. Always null for a child, which decides itself how it ends. */
    @Nullable
    String cancelledBecause();

    /** Returns the closing event of a child; null for a timer, and until the child has ended. */
    @Nullable
    Event end();

    /** Cancels it. A cancelled timer never fires; a child is asked to end. */
    void cancel(String reason);
}
