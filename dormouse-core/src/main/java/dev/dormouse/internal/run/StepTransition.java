package dev.dormouse.internal.run;

import static dev.dormouse.internal.run.StepState.ABANDONED;
import static dev.dormouse.internal.run.StepState.BACKING_OFF;
import static dev.dormouse.internal.run.StepState.COMPLETED;
import static dev.dormouse.internal.run.StepState.ENDED;
import static dev.dormouse.internal.run.StepState.EXECUTING;
import static dev.dormouse.internal.run.StepState.EXECUTING_HANDED_OUT;
import static dev.dormouse.internal.run.StepState.FAILED;
import static dev.dormouse.internal.run.StepState.HANDED_OUT;
import static dev.dormouse.internal.run.StepState.HANDING_OUT;
import static dev.dormouse.internal.run.StepState.PAUSED;
import static dev.dormouse.internal.run.StepState.REPORTED;
import static dev.dormouse.internal.run.StepState.REQUESTED;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A change of a step's state. {@link #TABLE} has all that exist, and {@link StepState#to} refuses any other. A test
 * plays simulated worlds and fails if a transition is never visited. Each transition is logged at level TRACE.
 *
 * @param cause the event that changes the state
 */
public record StepTransition(StepState from, StepState to, Cause cause) {
    private static final Logger LOG = LoggerFactory.getLogger(StepTransition.class);
    private static final int STATES = StepState.values().length;

    /** The events that change a step's state. */
    public enum Cause {
        /** A node starts an attempt. */
        START,
        /** The body of an attempt asks for its token. */
        HAND_OUT,
        /** The token is committed. */
        COMMIT,
        /** The body of an attempt returns or throws, or the holder of its token has reported a failure. */
        END,
        /** A time limit of the step expires. */
        EXPIRE,
        /** The scope of the step was cancelled, and no attempt executes. */
        CANCEL,
        /** The holder of the token completes the step. */
        COMPLETE,
        /** The code takes the end of an attempt. */
        TAKE,
        /** A commit is dropped together with an end that the code has taken. */
        DROP,
        /** The code takes a recorded event or message. The history does not show the execution that came before. */
        RECORD,
        /** Another node takes the run over, and counts the death of its predecessor as an attempt. */
        TAKEOVER,
        /** The code no longer waits for the step. */
        ABANDON
    }

    /** All transitions. A step starts as REQUESTED. */
    public static final List<StepTransition> TABLE = table();

    /** The declared transitions, by their index: every step makes several, so the check must cost next to nothing. */
    private static final boolean[] DECLARED = declared();

    private static boolean[] declared() {
        int causes = Cause.values().length;
        boolean[] declared = new boolean[causes * STATES * STATES];
        TABLE.forEach(one -> declared[index(one.from, one.to, one.cause)] = true);
        return declared;
    }

    private static int index(StepState from, StepState to, Cause cause) {
        return (cause.ordinal() * STATES + from.ordinal()) * STATES + to.ordinal();
    }

    private static List<StepTransition> table() {
        List<StepTransition> all = new ArrayList<>();
        for (StepState due : List.of(REQUESTED, BACKING_OFF, PAUSED)) {
            add(all, Cause.START, due, EXECUTING);
            add(all, Cause.RECORD, due, BACKING_OFF, PAUSED, HANDED_OUT, COMPLETED, FAILED);
        }
        add(all, Cause.RECORD, HANDED_OUT, BACKING_OFF, PAUSED, REPORTED, COMPLETED, FAILED);
        add(all, Cause.RECORD, REPORTED, BACKING_OFF, FAILED);
        add(all, Cause.HAND_OUT, EXECUTING, HANDING_OUT);
        add(all, Cause.COMMIT, HANDING_OUT, EXECUTING_HANDED_OUT);
        for (StepState executing : List.of(EXECUTING, HANDING_OUT, EXECUTING_HANDED_OUT, ABANDONED)) {
            add(all, Cause.END, executing, ENDED);
            add(all, Cause.EXPIRE, executing, ENDED);
        }
        add(all, Cause.END, REPORTED, ENDED);
        for (StepState waiting : List.of(REQUESTED, BACKING_OFF, PAUSED, HANDED_OUT)) {
            add(all, Cause.EXPIRE, waiting, ENDED);
            add(all, Cause.CANCEL, waiting, ENDED);
        }
        for (StepState open : List.of(REQUESTED, BACKING_OFF, PAUSED, HANDED_OUT, REPORTED)) {
            add(all, Cause.ABANDON, open, ABANDONED);
        }
        for (StepState executing : List.of(EXECUTING, HANDING_OUT, EXECUTING_HANDED_OUT)) {
            add(all, Cause.ABANDON, executing, ABANDONED);
        }
        for (StepState handedOut : List.of(EXECUTING_HANDED_OUT, HANDED_OUT, ENDED)) {
            add(all, Cause.COMPLETE, handedOut, COMPLETED);
        }
        add(all, Cause.TAKE, ENDED, BACKING_OFF, PAUSED, HANDED_OUT, COMPLETED, FAILED);
        for (StepState taken : List.of(BACKING_OFF, PAUSED, COMPLETED, FAILED)) {
            add(all, Cause.DROP, taken, ENDED);
        }
        add(all, Cause.TAKEOVER, PAUSED, BACKING_OFF);
        return List.copyOf(all);
    }

    private static void add(List<StepTransition> all, Cause cause, StepState from, StepState... targets) {
        for (StepState to : targets) {
            all.add(new StepTransition(from, to, cause));
        }
    }

    static void check(StepState from, StepState to, Cause cause) {
        if (LOG.isTraceEnabled()) {
            LOG.trace("{}", new StepTransition(from, to, cause));
        }
        if (!DECLARED[index(from, to, cause)]) {
            throw new IllegalStateException(
                    "Expected a transition of a step's state that StepTransition declares, but got " + from + " to "
                            + to + " by " + cause + ". This is a defect of Dormouse.");
        }
    }
}
