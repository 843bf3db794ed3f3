package dev.dormouse.internal.run;

import dev.dormouse.codec.Payload;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One attempt of a step, as what it executes sees it. May be used by any thread. */
public interface StepAttempt {

    /** Which step of the run it is of. */
    int call();

    /** From 1. */
    int number();

    Instant startedAt();

    /** What the step has said last of its progress, in this attempt or an earlier one. */
    @Nullable
    Payload details();

    /** What the step wanted to be given again. */
    @Nullable
    Payload checkpoint();

    /**
     * Says that it lives, and how far it is. Throws when it is not wanted any more: CanceledFailure after a cancel, or
     * DormouseException ATTEMPT_OVER after its time was up or its run has left this node.
     */
    void heartbeat(@Nullable Payload details);

    void keep(Payload checkpoint);

    /** The attempt is over when the body returns or throws, and another begins after this delay. */
    void pause(String name, Duration delay);

    /** The attempt has no result when the body returns: it comes from whoever has the token. Waits until that is recorded. */
    UUID handOut();

    /** Whether its result comes from whoever has the token. */
    boolean isHandedOut();

    /** For a step in a transaction. */
    Connection connection();
}
