package dev.dormouse.store;

/** What a run's alarm stands for. The order is stored: new reasons go to the end. */
public enum WakeReason {
    /** Its first execution is due. */
    START,
    /** A sleep, a timer or the deadline of a wait. */
    TIMER,
    /** The next attempt of a step. */
    RETRY,
    /** The run's execution timeout. */
    TIMEOUT,
    /** The end of its node's lease: only a crash makes this alarm pass. */
    LEASE,
    /** A short wait in memory, plus grace: only a crash makes this alarm pass. */
    PARK,
    /** Mail came in. */
    MAIL,
    /** Its node gave it back, or its code did not match there. */
    HANDOVER,
    /** It was taken over repeatedly and is held back for a while. */
    BACKOFF,
    /** It is stuck and will be tried again. */
    STUCK,
    /** It may begin then, by the rate of its queue. */
    RATE,
    /** An activity has paused until then. */
    PAUSE;

    private static final WakeReason[] VALUES = values();

    public int code() {
        return ordinal();
    }

    public static WakeReason of(int code) {
        return VALUES[code];
    }
}
