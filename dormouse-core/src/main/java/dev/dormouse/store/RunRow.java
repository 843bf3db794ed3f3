package dev.dormouse.store;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The one mutable row of a run.
 *
 * @param lane the routing group that claims name; a run in a lane that nobody asks for is never scanned
 * @param lease id of the claim under which the run executes or is parked, 0 when nobody holds it
 * @param owner id of the node that holds the lease, empty when nobody does
 * @param wakeAt the alarm; null when only mail can wake the run, and when it is closed
 * @param nextSeq how many events its history has, and so the number of the next
 * @param checksum of the whole history up to here
 * @param mail how many items were ever delivered to the workflow id; also the position of the last
 * @param consumed position of the last item that a commit consumed, or that was not meant for this run
 * @param takeovers how many leases under which its code may have begun have expired since the last commit that added
 *     events
 * @param strikes how many of those expired in a row while the run was on probation ({@link WakeReason#PROBATION})
 * @param refused builds whose code did not match the history, separated by spaces; empty when none refused
 * @param trouble what holds a stuck run up, empty otherwise
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

    /** The lease id of a run that nobody holds. */
    public static final long NO_LEASE = 0;

    /** The same with another mail counter. */
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
