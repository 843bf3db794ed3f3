package dev.dormouse.internal.run;

import dev.dormouse.codec.Payload;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One attempt of a step, as its body sees it. Thread-safe. */
public interface StepAttempt {

    /** Returns the call number of the step in its run. */
    int call();

    /** Returns the attempt number, from 1. */
    int number();

    Instant startedAt();

    /** Returns the last reported progress of the step, of this attempt or an earlier one; null if there is none. */
    @Nullable
    Payload details();

    /** Returns the value of the last {@link #keep}, of this attempt or an earlier one; null if there is none. */
    @Nullable
    Payload checkpoint();

    /**
     * Reports that the attempt is alive, and its progress unless {@code details} is null.
     *
     * @throws RuntimeException if the attempt is no longer wanted: CancelledException after a cancel request, or
     *     DormouseException ATTEMPT_OVER after a time limit has expired or its run has left this node
     */
    void heartbeat(@Nullable Payload details);

    /** Stores a value for the next attempt; it is recorded when this attempt ends. */
    void keep(Payload checkpoint);

    /** Ends the attempt when the body returns or throws, and starts it again after {@code delay}. */
    void pause(String name, Duration delay);

    /**
     * Hands out the completion token: the result comes from its holder, not from the body. Waits until that is
     * committed.
     */
    UUID handOut();

    /** Returns true if the token was handed out, so that its holder completes the step. */
    boolean isHandedOut();

    /**
     * Returns the connection of a step in a transaction.
     *
     * @throws IllegalStateException if the step does not run in a transaction
     */
    Connection connection();
}
