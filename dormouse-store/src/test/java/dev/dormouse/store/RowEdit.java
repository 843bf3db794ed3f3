package dev.dormouse.store;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.run.RunRow;
import java.time.Instant;

/** The expected row of a run after a change. */
final class RowEdit {
    private final RunRow from;
    RunStatus status;
    long lease;
    String owner;
    Instant wakeAt;
    WakeReason wakeReason;
    int nextSeq;
    long checksum;
    long mail;
    long consumed;
    int takeovers;
    int strikes;
    String trouble;
    Instant closedAt;

    RowEdit(RunRow from) {
        this.from = from;
        this.status = from.status();
        this.lease = from.lease();
        this.owner = from.owner();
        this.wakeAt = from.wakeAt();
        this.wakeReason = from.wakeReason();
        this.nextSeq = from.nextSeq();
        this.checksum = from.checksum();
        this.mail = from.mail();
        this.consumed = from.consumed();
        this.takeovers = from.takeovers();
        this.strikes = from.strikes();
        this.trouble = from.trouble();
        this.closedAt = from.closedAt();
    }

    RunRow toRow() {
        return new RunRow(
                from.shard(),
                from.runId(),
                from.workflowId(),
                from.type(),
                from.lane(),
                status,
                lease,
                owner,
                wakeAt,
                wakeReason,
                nextSeq,
                checksum,
                mail,
                consumed,
                takeovers,
                strikes,
                from.refused(),
                trouble,
                from.createdAt(),
                closedAt);
    }
}
