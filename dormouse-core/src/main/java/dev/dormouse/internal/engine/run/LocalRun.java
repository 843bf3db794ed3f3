package dev.dormouse.internal.engine.run;

import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A run in this node's memory, as loops and commands see it. All methods may be called by any thread. */
public interface LocalRun {
    UUID runId();

    int shard();

    String lane();

    /** Returns the lease under which it executes; {@link RunRow#NO_LEASE} while it is parked. */
    long renewableLease();

    /** Returns the lease under which the store should have it, whether it executes or is parked. */
    long lease();

    /** Returns true if it has been in memory for at least {@code nanos}. */
    boolean isHeldFor(long nanos);

    /** Returns true if its row is marked as on probation and the probation has not ended. */
    boolean isOnProbation();

    /** Returns true if it is about to leave memory, so that another execution of the same run may follow. */
    boolean isOver();

    /** Returns true if it was asked to leave memory. */
    boolean isLeaving();

    /** Returns true if a commit of its own is under way. */
    boolean isCommitting();

    /** Returns true if the run is under this lease, or comes under it by a commit that may be on its way. */
    boolean mayBeUnder(long lease);

    /**
     * Ends the activation because {@code lease} no longer exists. Has no effect if the run has a different lease by
     * now.
     */
    void lost(long lease);

    /** Reports the number of messages that the inbox has received so far. */
    void messagesArrived(long counter);

    /**
     * Gives a message to the run that the store has accepted.
     *
     * @param acceptedIn the epoch of the store that has accepted it. In another epoch, the store may have lost the message
     *     and given its position to another one
     */
    void messageArrived(InboxMessage message, String acceptedIn);

    /** Makes the run look at its inbox. */
    void look();

    /** Evicts it because the store has changed. It resumes if the store still has it under its lease. */
    void reread();

    /** Evicts the run without a commit. */
    void stop();

    /** Asks it to leave memory at its next pause. */
    void close();

    /**
     * Makes another execution of the same run wait for the end of this one, which is evicted.
     *
     * @return false if this one has ended, so that the next can start at once
     */
    boolean precede(LocalRun next);

    /** Starts its thread, once no other execution of the same run is left in memory. */
    void start();

    /**
     * Prevents further commits of the run itself, so that its lease can be released from outside. Returns false while
     * one of its commits is on its way.
     */
    boolean seal();

    /**
     * Returns the commit that releases the lease from outside, while the run's thread executes a step; null without a
     * lease.
     */
    @Nullable
    Commit release();

    /** Returns true if its thread executes a step while results of earlier steps wait to be committed. */
    boolean isLent();

    /** Commits the results if the oldest has waited for {@code age}. Returns true if they are younger and remain. */
    boolean flush(Duration age);

    /** Returns true if one of its steps executes, on the run's own thread or on another one. */
    boolean isExecutingStep();

    /** Returns true if results wait to be committed. */
    boolean hasDeferredResults();
}
