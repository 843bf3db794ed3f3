package dev.dormouse.store;

import static dev.dormouse.store.Samples.events;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** A run as seen by the node that holds its lease, and the commits that this node can make. */
record Held(UUID runId, String workflowId, long lease, int nextSeq, long checksum, long consumed) {

    static Held of(RunRow row) {
        return new Held(row.runId(), row.workflowId(), row.lease(), row.nextSeq(), row.checksum(), row.consumed());
    }

    Fence fence() {
        return Fence.of(lease, nextSeq);
    }

    /** Returns the run after this commit was applied. */
    Held after(Commit commit) {
        int seq = commit.fence().nextSeq() + commit.append().count();
        return new Held(
                runId, workflowId, commit.next().lease(), seq, commit.append().checksum(), commit.consumed());
    }

    /** Returns a commit that continues with one more event. */
    Commit step() {
        return commit(events(1), NextState.running(lease));
    }

    /** Returns a commit that suspends the run and appends one event. */
    Commit suspend(Alarm alarm) {
        return commit(events(1), NextState.waiting(alarm, WakeReason.TIMER));
    }

    Commit park(long newLease, Instant until) {
        return commit(events(1), NextState.parked(newLease, until));
    }

    Commit close() {
        return commit(events(1), NextState.closed(RunStatus.COMPLETED));
    }

    /**
     * Returns a commit that ends the lease immediately and changes nothing else: the alarm is now, and the lease id
     * stays.
     */
    Commit expire() {
        return becoming(NextState.running(lease, Duration.ZERO));
    }

    /** Returns a commit that changes the state and appends nothing. */
    Commit becoming(NextState next) {
        return commit(Append.nothing(checksum), next);
    }

    Commit commit(Append append, NextState next) {
        return new Commit(runId, fence(), append, consumed, next, List.of(), true);
    }

    /** Returns a commit as one of a sender that does not execute the run. */
    static Commit fromOutside(Commit commit) {
        return new Commit(
                commit.runId(), commit.fence(), commit.append(), commit.consumed(), commit.next(), commit.outbox());
    }

    static Commit with(Commit commit, Fence fence) {
        return new Commit(
                commit.runId(),
                fence,
                commit.append(),
                commit.consumed(),
                commit.next(),
                commit.outbox(),
                commit.isFromOwner());
    }

    static Commit consuming(Commit commit, long position) {
        return new Commit(
                commit.runId(),
                commit.fence(),
                commit.append(),
                position,
                commit.next(),
                commit.outbox(),
                commit.isFromOwner());
    }

    static Commit sending(Commit commit, Outgoing... items) {
        return new Commit(
                commit.runId(),
                commit.fence(),
                commit.append(),
                commit.consumed(),
                commit.next(),
                List.of(items),
                commit.isFromOwner());
    }
}
