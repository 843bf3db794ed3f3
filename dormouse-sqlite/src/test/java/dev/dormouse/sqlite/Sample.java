package dev.dormouse.sqlite;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Claim;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Entries for batches, as the engine would make them. */
public final class Sample {
    static final String LANE = "order";
    static final Duration LEASE = Duration.ofHours(1);

    private static final AtomicLong IDS = new AtomicLong(System.currentTimeMillis() << 16);

    private Sample() {}

    public static UUID newId() {
        return new UUID(IDS.incrementAndGet(), ThreadLocalRandom.current().nextLong());
    }

    static long newLease() {
        return IDS.incrementAndGet();
    }

    public static Append event() {
        byte[] payload = new byte[100];
        ThreadLocalRandom.current().nextBytes(payload);
        return new Append(1, payload, ThreadLocalRandom.current().nextLong());
    }

    public static Start leased(String workflowId) {
        return start(workflowId, "node-1", NextState.running(newLease(), LEASE));
    }

    public static Start pending(String workflowId) {
        return start(workflowId, "", NextState.pending(Alarm.NOW, WakeReason.START));
    }

    static Start replacing(Start start, RunStatus status) {
        return new Start(
                start.workflowId(),
                start.runId(),
                start.type(),
                start.lane(),
                start.owner(),
                start.next(),
                start.first(),
                Set.of(status));
    }

    private static Start start(String workflowId, String owner, NextState next) {
        return new Start(workflowId, newId(), "Order", LANE, owner, next, event(), Set.of());
    }

    public static List<Start> leased(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> leased(prefix + i)).toList();
    }

    static Commit commit(RunRow row, Append append, NextState next) {
        return new Commit(row.runId(), Fence.of(row.lease(), row.nextSeq()), append, row.consumed(), next, List.of());
    }

    /** One more event of a run that was just started, or to which {@code steps} of these were committed. */
    static Commit step(Start start, int steps) {
        long lease = start.next().lease();
        return new Commit(start.runId(), Fence.of(lease, 1 + steps), event(), 0, NextState.running(lease), List.of());
    }

    static Commit step(RunRow row) {
        return commit(row, event(), NextState.running(row.lease()));
    }

    static Commit close(RunRow row) {
        return commit(row, event(), NextState.closed(RunStatus.COMPLETED));
    }

    static Commit sending(Commit commit, Outgoing item) {
        return new Commit(
                commit.runId(), commit.fence(), commit.append(), commit.consumed(), commit.next(), List.of(item));
    }

    static Delivery signal(String workflowId, String key) {
        return new Delivery(workflowId, key, 1, new byte[] {1});
    }

    public static Claim claim(int limit) {
        return new Claim(
                List.of(LANE), limit, newLease(), LEASE, "node-1", "build-1", LEASE, Micros.MAX, Instant.EPOCH);
    }
}
