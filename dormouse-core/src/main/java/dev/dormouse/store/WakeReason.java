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
    PAUSE,
    /** The end of the lease of a run that was held by a node that died, and whose code has not begun since. */
    CLAIMED,
    /** The end of the lease of a run that was held by a node that died, and whose code has begun a short while ago. */
    PROBATION,
    /** A stay in memory after mail, in case that more comes, plus grace: only a crash makes this alarm pass. */
    LINGER;

    private static final WakeReason[] VALUES = values();

    public int code() {
        return ordinal();
    }

    public static WakeReason of(int code) {
        return VALUES[code];
    }

    /**
     * Returns true if something that a user has asked for happens at that time, or a short while before it for a run that
     * waits in memory. A lease, mail and a last resort are not asked for.
     */
    public boolean isSet() {
        return switch (this) {
            case START, TIMER, RETRY, TIMEOUT, PARK, BACKOFF, RATE, PAUSE -> true;
            case LEASE, MAIL, HANDOVER, STUCK, CLAIMED, PROBATION, LINGER -> false;
        };
    }

    /** Returns true if the alarm is the end of a lease or of a short wait in memory: only a crash makes it pass. */
    public boolean isLeaseEnd() {
        return switch (this) {
            case LEASE, PARK, CLAIMED, PROBATION, LINGER -> true;
            case START, TIMER, RETRY, TIMEOUT, MAIL, HANDOVER, BACKOFF, STUCK, RATE, PAUSE -> false;
        };
    }

    /** Those that are set, as a set of bits by their codes: for stores. */
    public static int setMask() {
        int mask = 0;
        for (WakeReason reason : VALUES) {
            mask |= reason.isSet() ? 1 << reason.code() : 0;
        }
        return mask;
    }
}
