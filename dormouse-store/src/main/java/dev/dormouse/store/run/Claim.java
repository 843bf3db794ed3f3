package dev.dormouse.store.run;

import dev.dormouse.inspect.WakeReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A request for runs whose alarm has passed, oldest alarm first. The store sets each claimed run to RUNNING under
 * {@code lease}, with its alarm at the end of the lease.
 *
 * <p>The reason of that alarm is {@link WakeReason#LEASE}, or {@link WakeReason#CLAIMED} for a run with takeovers. An
 * expired lease counts as a takeover unless its reason was {@code CLAIMED}, because then no code has begun under it. It
 * also counts as a strike if its reason was {@link WakeReason#PROBATION}.
 *
 * @param limit the maximum number of runs to claim; never more than this node has room to run
 * @param lease a fresh id, unique to this claim
 * @param owner the id of the claiming node
 * @param build the build of the claiming node. Runs that this build has refused are skipped, unless no node has claimed
 *     them for {@code patience}
 * @param takeOverBefore runs whose lease ended at this instant or before can be claimed too; {@link Instant#EPOCH} for
 *     no takeovers. It is an absolute instant, so that a claim that reaches the store late does not take leases that
 *     expired on the way
 * @param floor the instant at which the scan of the alarms starts; {@link Instant#EPOCH} for a scan without a floor
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
