package dev.dormouse.store.run;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run's row after a start or a commit. A status other than RUNNING and PARKED clears the owner. A closed
 * status also sets {@code closed_at}.
 *
 * @param lease the lease id from now on; {@link RunRow#NO_LEASE} releases the run
 * @param lane the lane to move to; null to stay
 * @param refused the builds that refused the run, separated by spaces; null to leave them unchanged
 * @param trouble the reason why the run is stuck; empty if it is not
 */
public record NextState(
        RunStatus status,
        long lease,
        Alarm alarm,
        WakeReason reason,
        @Nullable String lane,
        @Nullable String refused,
        String trouble) {
    private static final int MAX_TROUBLE = 4_000;

    /** Returns the state of a run that keeps executing under the same lease, whose end does not change. */
    public static NextState running(long lease) {
        return new NextState(RunStatus.RUNNING, lease, Alarm.KEEP, WakeReason.LEASE, null, null, "");
    }

    /** Returns the state of a run that executes under this lease for a whole lease period from now. */
    public static NextState running(long lease, Duration leasePeriod) {
        return new NextState(RunStatus.RUNNING, lease, new Alarm.In(leasePeriod), WakeReason.LEASE, null, null, "");
    }

    /**
     * Returns the state of a run on probation, which executes under the same lease. A node that held it has died, and
     * the run has not yet executed long enough since to be trusted.
     */
    public static NextState probation(long lease) {
        return new NextState(RunStatus.RUNNING, lease, Alarm.KEEP, WakeReason.PROBATION, null, null, "");
    }

    /** Returns the state of a run that waits in its node's memory, under a lease of its own that is not renewed. */
    public static NextState parked(long newLease, Instant deadlinePlusGrace) {
        return new NextState(
                RunStatus.PARKED, newLease, new Alarm.At(deadlinePlusGrace), WakeReason.PARK, null, null, "");
    }

    /** Returns the state of a run that is suspended until its alarm passes or mail arrives. */
    public static NextState waiting(Alarm alarm, WakeReason reason) {
        return new NextState(RunStatus.WAITING, RunRow.NO_LEASE, alarm, reason, null, null, "");
    }

    /** Returns the state of a run that any node can claim at its alarm. A message does not make it due earlier. */
    public static NextState pending(Alarm alarm, WakeReason reason) {
        return new NextState(RunStatus.PENDING, RunRow.NO_LEASE, alarm, reason, null, null, "");
    }

    /** Returns the state of a run that cannot continue. It is tried again at the alarm, if there is one. */
    public static NextState stuck(Alarm alarm, String trouble) {
        return new NextState(RunStatus.STUCK, RunRow.NO_LEASE, alarm, WakeReason.STUCK, null, null, trouble);
    }

    /** Returns the state of a run that has ended with a closed status. It has no lease and no alarm. */
    public static NextState closed(RunStatus status) {
        return new NextState(status, RunRow.NO_LEASE, Alarm.NONE, WakeReason.START, null, null, "");
    }

    public NextState {
        trouble = trouble.isEmpty() ? trouble : cleaned(trouble);
    }

    /** Returns the text without characters that some stores cannot keep, cut to a bounded length. */
    private static String cleaned(String text) {
        StringBuilder clean = new StringBuilder();
        text.codePoints()
                .limit(MAX_TROUBLE)
                .map(point -> point == 0 || point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE
                        ? ' '
                        : point)
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }

    /**
     * Returns true if events that are committed with this state show progress, so that the counters of takeovers and
     * strikes start again from 0. The event that records a takeover shows none.
     */
    public boolean isProgress() {
        return isProgress(reason);
    }

    private static boolean isProgress(WakeReason reason) {
        return reason != WakeReason.PROBATION && reason != WakeReason.BACKOFF && reason != WakeReason.STUCK;
    }

    /** Returns the reasons for which {@link #isProgress} is true, as a bit mask by code. For stores. */
    public static int progressMask() {
        int mask = 0;
        for (WakeReason reason : WakeReason.values()) {
            mask |= isProgress(reason) ? 1 << reason.code() : 0;
        }
        return mask;
    }

    /** Returns this state in another lane, with the builds that refused the run. */
    public NextState inLane(String newLane, String builds) {
        return new NextState(status, lease, alarm, reason, newLane, builds, trouble);
    }
}
