package dev.dormouse.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Asks for runs whose alarm has passed, oldest alarm first. Each claimed run becomes RUNNING under {@code lease}, with
 * its alarm at the end of the lease.
 *
 * <p>The reason of that alarm is {@link WakeReason#LEASE}, or {@link WakeReason#CLAIMED} for a run with takeovers. An
 * expired lease counts as a takeover unless its reason was {@code CLAIMED}, because then no code has begun under it. It
 * counts as a strike too if its reason was {@link WakeReason#PROBATION}.
 *
 * @param limit never more than this node has room to run
 * @param lease a fresh id, unique to this claim
 * @param owner id of the claiming node
 * @param build runs that this build refused are left to others, unless nobody has taken them for {@code patience}
 * @param takeOverBefore runs under a lease that ended at this instant or before may be claimed too;
 *     {@link Instant#EPOCH} for none. An instant, so that a claim that reaches the store late does not take
 *     what expired on the way
 * @param floor where the scan of the alarms begins; {@link Instant#EPOCH} for a scan without a floor
 */
public record Claim(
        List<String> lanes,
        int limit,
        long lease,
        Duration leasePeriod,
        String owner,
        String build,
        Duration patience,
        Instant takeOverBefore,
        Instant floor) {}
