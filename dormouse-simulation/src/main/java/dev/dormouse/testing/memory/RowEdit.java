package dev.dormouse.testing.memory;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A mutable copy of a run's row. */
public final class RowEdit {
    private final RunRow from;
    public String lane;
    public RunStatus status;
    public long lease;
    public String owner;
    public @Nullable Instant wakeAt;
    public WakeReason wakeReason;
    public int nextSeq;
    public long checksum;
    public long mail;
    public long consumed;
    public int takeovers;
    public int strikes;
    public String refused;
    public String trouble;
    public @Nullable Instant closedAt;

    public RowEdit(RunRow from) {
        this.from = from;
        this.lane = from.lane();
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
        this.refused = from.refused();
        this.trouble = from.trouble();
        this.closedAt = from.closedAt();
    }

    /** Returns a new row that contains only the fields that never change. */
    static RowEdit inserting(int shard, Start start, Instant now) {
        UUID runId = start.runId();
        return new RowEdit(new RunRow(
                shard,
                runId,
                start.workflowId(),
                start.type(),
                start.lane(),
                RunStatus.PENDING,
                RunRow.NO_LEASE,
                start.owner(),
                null,
                WakeReason.START,
                0,
                0,
                0,
                0,
                0,
                0,
                "",
                "",
                now,
                null));
    }

    /** Returns the row with another alarm. */
    static RunRow withAlarm(RunRow row, Instant alarm) {
        RowEdit edit = new RowEdit(row);
        edit.wakeAt = alarm;
        return edit.toRow();
    }

    /** Returns the row with a lease that ends at {@code end}. A renewal ends the run's probation. */
    static RunRow renewed(RunRow held, Instant end) {
        RowEdit row = new RowEdit(held);
        row.wakeAt = end;
        if (row.wakeReason == WakeReason.PROBATION) {
            row.wakeReason = WakeReason.LEASE;
            row.strikes = 0;
        }
        return row.toRow();
    }

    /** Applies the next state of a start or a commit. */
    void apply(NextState next, Instant now) {
        status = next.status();
        lease = next.lease();
        wakeAt = alarmOf(next.alarm(), wakeAt, now);
        wakeReason = next.reason();
        lane = next.lane() == null ? lane : next.lane();
        refused = next.refused() == null ? refused : next.refused();
        trouble = next.trouble();
        owner = status == RunStatus.RUNNING || status == RunStatus.PARKED ? owner : "";
        closedAt = status.isClosed() ? now : null;
    }

    private static @Nullable Instant alarmOf(Alarm alarm, @Nullable Instant kept, Instant now) {
        if (alarm instanceof Alarm.At at) {
            return latest(Micros.roundUp(at.instant()), now);
        }
        if (alarm instanceof Alarm.In in) {
            return latest(after(now, in.delay()), now);
        }
        return alarm instanceof Alarm.None ? null : kept;
    }

    /** Returns {@code now} plus {@code delay}, but at most the last instant that a store can represent. */
    static Instant after(Instant now, Duration delay) {
        long start = Micros.of(now);
        long length = Micros.of(delay);
        return length > Long.MAX_VALUE - start ? Micros.MAX : Micros.toInstant(start + length);
    }

    private static Instant latest(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    public RunRow toRow() {
        return new RunRow(
                from.shard(),
                from.runId(),
                from.workflowId(),
                from.type(),
                lane,
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
                refused,
                trouble,
                from.createdAt(),
                closedAt);
    }
}
