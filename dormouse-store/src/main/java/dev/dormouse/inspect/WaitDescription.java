package dev.dormouse.inspect;

import java.time.Instant;
import java.util.Optional;

/**
 * A wait of a run; see {@code WorkflowHandle.waits}. Immutable.
 *
 * @param call the number of the call in the run, for {@code WorkflowHandle.moveWait}; {@link #BEGINNING} for a
 *     delayed start
 * @param kind the kind of wait
 * @param name the name of the step, signal, event or timer, or the workflow id of the child; may be empty
 * @param since the time at which the code began to wait
 * @param until the deadline of the wait, or the start of the next attempt; empty if there is none
 * @param canMove true if {@code WorkflowHandle.moveWait} can change {@code until}
 * @param at the line of the workflow's code, such as {@code shop.OrderWorkflow.run(OrderWorkflow.java:31)}; may be
 *     empty
 */
public record WaitDescription(
        int call, Kind kind, String name, Instant since, Optional<Instant> until, boolean canMove, String at) {

    /** The call number of a delayed start, which does not belong to any call of the code. */
    public static final int BEGINNING = -1;

    /** The kind of a wait. */
    public enum Kind {
        /** A delayed start. */
        START,
        /** A sleep. */
        SLEEP,
        /** A timer that the code has set, or the sleep of an {@code UpdatableTimer}. */
        TIMER,
        /** A condition. If its deadline is an {@code UpdatableTimer}, it has that timer's name. */
        CONDITION,
        /** A wait for a signal that no handler takes. */
        SIGNAL,
        /** A wait for a published event. */
        EVENT,
        /** A step. */
        STEP,
        /** A child workflow. */
        CHILD
    }
}
