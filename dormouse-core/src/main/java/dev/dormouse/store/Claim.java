package dev.dormouse.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Asks for runs whose alarm has passed, oldest alarm first. Each claimed run becomes RUNNING under {@code lease}, with
 * its alarm at the end of the lease.
 *
 * @param limit never more than this node has room to run
 * @param lease a fresh id, unique to this claim
 * @param owner id of the claiming node
 * @param build runs that this build refused are left to others, unless nobody has taken them for {@code patience}
 * @param takeOver whether runs under an expired lease may be claimed too; each counts a takeover
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
        boolean takeOver,
        Instant floor) {}
