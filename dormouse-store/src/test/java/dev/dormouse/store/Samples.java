package dev.dormouse.store;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Claim;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.Sweep;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Entries for batches, as the engine would create them. Stores do not interpret payloads and checksums. */
final class Samples {
    static final int SHARD = 0;
    static final String LANE = "order";
    static final String TYPE = "Order";
    static final String NODE = "node-1";
    static final String BUILD = "build-1";

    /** A lease that does not expire during a test. */
    static final Duration LEASE = Duration.ofHours(1);

    static final Duration FAR = Duration.ofDays(30);

    private static final AtomicLong IDS = new AtomicLong(0x0190_0000_0000_0000L);

    private Samples() {}

    /** Returns an id that sorts after all earlier ones. */
    static UUID newId() {
        return new UUID(IDS.incrementAndGet(), ThreadLocalRandom.current().nextLong());
    }

    static long newLease() {
        return IDS.incrementAndGet();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        ThreadLocalRandom.current().nextBytes(bytes);
        return bytes;
    }

    static Append events(int count) {
        return new Append(count, randomBytes(20), ThreadLocalRandom.current().nextLong());
    }

    static Start start(String workflowId, NextState next) {
        String owner = next.lease() == RunRow.NO_LEASE ? "" : NODE;
        return new Start(workflowId, newId(), TYPE, LANE, owner, next, events(1), Set.of());
    }

    /** Returns a start that is leased to this node. */
    static Start leased(String workflowId) {
        return start(workflowId, NextState.running(newLease(), LEASE));
    }

    /** Returns a start that is due immediately and that any node can claim. */
    static Start pending(String workflowId) {
        return pending(workflowId, Alarm.NOW);
    }

    static Start pending(String workflowId, Alarm alarm) {
        return start(workflowId, NextState.pending(alarm, WakeReason.START));
    }

    static Start replacing(Start start, RunStatus... statuses) {
        return new Start(
                start.workflowId(),
                start.runId(),
                start.type(),
                start.lane(),
                start.owner(),
                start.next(),
                start.first(),
                Set.of(statuses));
    }

    static Start inLane(Start start, String lane) {
        return new Start(
                start.workflowId(),
                start.runId(),
                start.type(),
                lane,
                start.owner(),
                start.next(),
                start.first(),
                start.replaces());
    }

    static Start ofType(Start start, String type) {
        return new Start(
                start.workflowId(),
                start.runId(),
                type,
                start.lane(),
                start.owner(),
                start.next(),
                start.first(),
                start.replaces());
    }

    static Start withRunId(Start start, UUID runId) {
        return new Start(
                start.workflowId(),
                runId,
                start.type(),
                start.lane(),
                start.owner(),
                start.next(),
                start.first(),
                start.replaces());
    }

    static Start withFirst(Start start, Append first) {
        return new Start(
                start.workflowId(),
                start.runId(),
                start.type(),
                start.lane(),
                start.owner(),
                start.next(),
                first,
                start.replaces());
    }

    /** Returns a claim for everything that is due in the default lane, expired leases included. */
    static Claim claim(int limit) {
        return new Claim(List.of(LANE), limit, newLease(), LEASE, NODE, BUILD, FAR, Micros.MAX, Instant.EPOCH);
    }

    static Claim claimOf(List<String> lanes) {
        return new Claim(lanes, 100, newLease(), LEASE, NODE, BUILD, FAR, Micros.MAX, Instant.EPOCH);
    }

    static Claim leavingLeases(Claim claim) {
        return new Claim(
                claim.lanes(),
                claim.limit(),
                claim.lease(),
                claim.leasePeriod(),
                claim.owner(),
                claim.build(),
                claim.patience(),
                Instant.EPOCH,
                claim.floor());
    }

    static Claim takingOverBefore(Claim claim, Instant end) {
        return new Claim(
                claim.lanes(),
                claim.limit(),
                claim.lease(),
                claim.leasePeriod(),
                claim.owner(),
                claim.build(),
                claim.patience(),
                end,
                claim.floor());
    }

    static Claim from(Claim claim, Instant floor) {
        return new Claim(
                claim.lanes(),
                claim.limit(),
                claim.lease(),
                claim.leasePeriod(),
                claim.owner(),
                claim.build(),
                claim.patience(),
                claim.takeOverBefore(),
                floor);
    }

    static Claim byBuild(Claim claim, String build, Duration patience) {
        return new Claim(
                claim.lanes(),
                claim.limit(),
                claim.lease(),
                claim.leasePeriod(),
                claim.owner(),
                build,
                patience,
                claim.takeOverBefore(),
                claim.floor());
    }

    static Claim forPeriod(Claim claim, Duration leasePeriod) {
        return new Claim(
                claim.lanes(),
                claim.limit(),
                claim.lease(),
                leasePeriod,
                claim.owner(),
                claim.build(),
                claim.patience(),
                claim.takeOverBefore(),
                claim.floor());
    }

    static Delivery signal(String workflowId, String key) {
        return new Delivery(workflowId, key, 7, bytes("payload of " + key));
    }

    static Outgoing outgoing(String workflowId) {
        return new Outgoing(newId(), workflowId, 3, bytes("for " + workflowId));
    }

    static Sweep sweep(int alarms) {
        return new Sweep(NODE, BUILD, List.of(LANE), alarms);
    }
}
