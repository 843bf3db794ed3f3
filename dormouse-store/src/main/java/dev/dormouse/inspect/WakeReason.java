package dev.dormouse.inspect;

/** The reason of a run's alarm. The order is stored: new reasons go to the end. */
public enum WakeReason {
    /** The first execution of the run is due. */
    START,
    /** A sleep, a timer or the deadline of a wait. */
    TIMER,
    /** The next attempt of a step. */
    RETRY,
    /** The run's execution timeout. */
    TIMEOUT,
    /** The end of its node's lease. This alarm passes only if its node died or was suspended. */
    LEASE,
    /** The end of a short wait in memory, plus grace. This alarm passes only if its node died or was suspended. */
    PARK,
    /** A message arrived. */
    MAIL,
    /** The run was released by its node, or its code did not match there. */
    HANDOVER,
    /** The run was taken over repeatedly and is delayed. */
    BACKOFF,
    /** The run is stuck and will be tried again. */
    STUCK,
    /** The run can begin then, by the rate of its queue. */
    RATE,
    /** An activity has paused until then. */
    PAUSE,
    /** The end of the lease of a run that was held by a node that died. No code of the run has begun since. */
    CLAIMED,
    /**
     * The end of the lease of a run that was held by a node that died. Code of the run has begun since, a short while
     * ago.
     */
    PROBATION,
    /**
     * The end of a stay in memory after mail, in case more arrives, plus grace. Only earlier versions set it: today such a
     * run executes under its lease ({@link #LEASE}). This alarm passes only if its node died or was suspended.
     */
    LINGER;

    private static final WakeReason[] VALUES = values();

    /** Returns the number under which stores keep the reason. */
    public int code() {
        return ordinal();
    }

    /**
     * Returns the reason that stores keep under a number.
     *
     * @throws ArrayIndexOutOfBoundsException if no reason has this number
     */
    public static WakeReason of(int code) {
        return VALUES[code];
    }

    /**
     * Returns true if something that a user has requested is due at the alarm, such as a start, an attempt, a timer or
     * a timeout. For a run that waits in memory ({@link #PARK}) it is due a short while before the alarm. Returns false
     * for alarms of the engine's own: ends of leases, mail, handovers and retries of stuck runs.
     */
    public boolean isSet() {
        return switch (this) {
            case START, TIMER, RETRY, TIMEOUT, PARK, BACKOFF, RATE, PAUSE -> true;
            case LEASE, MAIL, HANDOVER, STUCK, CLAIMED, PROBATION, LINGER -> false;
        };
    }

    /**
     * Returns true if the alarm is the end of a lease or of a stay in memory, and so passes only if its node died or was
     * suspended.
     */
    public boolean isLeaseEnd() {
        return switch (this) {
            case LEASE, PARK, CLAIMED, PROBATION, LINGER -> true;
            case START, TIMER, RETRY, TIMEOUT, MAIL, HANDOVER, BACKOFF, STUCK, RATE, PAUSE -> false;
        };
    }

    /** Returns the reasons for which {@link #isSet} is true, as a bit mask by code. For stores. */
    public static int setMask() {
        int mask = 0;
        for (WakeReason reason : VALUES) {
            mask |= reason.isSet() ? 1 << reason.code() : 0;
        }
        return mask;
    }
}
