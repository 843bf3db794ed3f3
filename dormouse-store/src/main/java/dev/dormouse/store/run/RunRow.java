package dev.dormouse.store.run;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The one mutable row of a run.
 *
 * @param lane the routing key that claims name; a run in a lane that no node claims is never scanned
 * @param lease the id of the claim under which the run executes or is parked; {@link #NO_LEASE} if no node holds the
 *     run
 * @param owner the id of the node that holds the lease; empty if no node holds the run
 * @param wakeAt the alarm; null if only mail can wake the run, or if it is closed
 * @param nextSeq the number of events in its history as of the last change of this row by a commit. Exact unless the
 *     run is RUNNING: then its owner may have appended more
 * @param checksum the checksum of the history up to {@code nextSeq}
 * @param mail the number of items ever delivered to the workflow id, which is the position of the last item
 * @param consumed the position of the last item that a commit consumed, or that was not meant for this run. The history may have
 *     consumed more while the run is RUNNING or counts takeovers
 * @param takeovers the number of leases that have expired since the last commit that added events, and under which its
 *     code may have begun
 * @param strikes the number of those leases that expired in a row while the run was on probation
 *     ({@link WakeReason#PROBATION})
 * @param refused the builds whose code did not match the history, separated by spaces; empty if none refused
 * @param trouble the reason why the run is stuck; empty if it is not
 */
public record RunRow(
        int shard,
        UUID runId,
        String workflowId,
        String type,
        String lane,
        RunStatus status,
        long lease,
        String owner,
        @Nullable Instant wakeAt,
        WakeReason wakeReason,
        int nextSeq,
        long checksum,
        long mail,
        long consumed,
        int takeovers,
        int strikes,
        String refused,
        String trouble,
        Instant createdAt,
        @Nullable Instant closedAt) {

    /** The lease id of a run that no node holds. */
    public static final long NO_LEASE = 0;

    /** Returns this row with another mail counter. */
    public RunRow withMail(long count) {
        return new RunRow(
                shard,
                runId,
                workflowId,
                type,
                lane,
                status,
                lease,
                owner,
                wakeAt,
                wakeReason,
                nextSeq,
                checksum,
                count,
                consumed,
                takeovers,
                strikes,
                refused,
                trouble,
                createdAt,
                closedAt);
    }
}
