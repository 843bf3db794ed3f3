package dev.dormouse.internal.replay;

import java.util.UUID;

/** A child that the code has requested. Belongs to the run's coroutines. */
public interface PendingChild extends PendingCall {

    /** Returns true if the start is known to have happened or to have been refused, or is not reported. */
    boolean isStarted();

    /** Returns true if the child has ended because it was not started. */
    boolean isRefused();

    /** Returns the run that is the child. Before the child has started, it may be another one than later. */
    UUID runId();
}
