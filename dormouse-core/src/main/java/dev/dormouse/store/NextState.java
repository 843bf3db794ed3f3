package dev.dormouse.store;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a run's row says after a start or a commit. A status other than RUNNING and PARKED clears the owner; a closed
 * one also sets {@code closed_at}.
 *
 * @param lease the lease id from now on; {@link RunRow#NO_LEASE} gives the run up
 * @param lane the lane to move to, null to stay
 * @param refused builds that refused, null to leave them as they are
 * @param trouble what holds the run up, empty when nothing does
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

    /** Executing on under the same lease, whose end stays where it is. */
    public static NextState running(long lease) {
        return new NextState(RunStatus.RUNNING, lease, Alarm.KEEP, WakeReason.LEASE, null, null, "");
    }

    /** Executing under this lease for a whole lease period from now. */
    public static NextState running(long lease, Duration leasePeriod) {
        return new NextState(RunStatus.RUNNING, lease, new Alarm.In(leasePeriod), WakeReason.LEASE, null, null, "");
    }

    /** Executing under the same lease, as a run that a dead node held and that has not proven itself yet. */
    public static NextState probation(long lease) {
        return new NextState(RunStatus.RUNNING, lease, Alarm.KEEP, WakeReason.PROBATION, null, null, "");
    }

    /** Waiting in its node's memory under a lease of its own, which nobody renews. */
    public static NextState parked(long newLease, Instant deadlinePlusGrace) {
        return parked(newLease, deadlinePlusGrace, WakeReason.PARK);
    }

    /** Staying in its node's memory under a lease of its own, in case that more mail comes. */
    public static NextState lingering(long newLease, Instant endPlusGrace) {
        return parked(newLease, endPlusGrace, WakeReason.LINGER);
    }

    private static NextState parked(long newLease, Instant end, WakeReason reason) {
        return new NextState(RunStatus.PARKED, newLease, new Alarm.At(end), reason, null, null, "");
    }

    /** Suspended until its alarm or its mail. */
    public static NextState waiting(Alarm alarm, WakeReason reason) {
        return new NextState(RunStatus.WAITING, RunRow.NO_LEASE, alarm, reason, null, null, "");
    }

    /** To be claimed by any node at its alarm; mail does not hurry it. */
    public static NextState pending(Alarm alarm, WakeReason reason) {
        return new NextState(RunStatus.PENDING, RunRow.NO_LEASE, alarm, reason, null, null, "");
    }

    /** Not possible to go on; tried again at the alarm, if there is one. */
    public static NextState stuck(Alarm alarm, String trouble) {
        return new NextState(RunStatus.STUCK, RunRow.NO_LEASE, alarm, WakeReason.STUCK, null, null, trouble);
    }

    public static NextState closed(RunStatus status) {
        return new NextState(status, RunRow.NO_LEASE, Alarm.NONE, WakeReason.START, null, null, "");
    }

    public NextState {
        trouble = cleaned(trouble);
    }

    /** Something that every store can keep. */
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

    /** The same, in another lane and with this note of who refused. */
    public NextState inLane(String newLane, String builds) {
        return new NextState(status, lease, alarm, reason, newLane, builds, trouble);
    }
}
