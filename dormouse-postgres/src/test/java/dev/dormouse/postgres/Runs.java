package dev.dormouse.postgres;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.event.Question;
import dev.dormouse.store.event.Subscription;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Claim;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Queued;
import dev.dormouse.store.run.Start;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Entries for batches. */
public final class Runs {
    public static final Duration LEASE = Duration.ofMinutes(10);
    public static final String LANE = "order";

    private static final AtomicLong IDS = new AtomicLong(0x0190_0000_0000_0000L);

    private Runs() {}

    public static UUID newId() {
        return new UUID(IDS.incrementAndGet(), ThreadLocalRandom.current().nextLong());
    }

    static long newLease() {
        return IDS.incrementAndGet();
    }

    public static <T> List<T> many(int count, IntFunction<T> one) {
        return IntStream.range(0, count).mapToObj(one).toList();
    }

    private static Start start(String workflowId, NextState next) {
        return new Start(workflowId, newId(), "Order", LANE, "node", next, events(1), Set.of());
    }

    /** Held by this node under this lease. */
    public static Start leased(String workflowId, long lease) {
        return start(workflowId, NextState.running(lease, LEASE));
    }

    /** To be claimed at its alarm. */
    public static Start pending(String workflowId, Alarm alarm) {
        return start(workflowId, NextState.pending(alarm, WakeReason.START));
    }

    /** To be claimed at its alarm, in place of a closed run of this status. */
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

    public static Append events(int count) {
        return new Append(count, new byte[100], newLease());
    }

    /** The first commit of a run after its start. */
    static Commit first(Start start, NextState next) {
        return new Commit(start.runId(), Fence.of(start.next().lease(), 1), events(1), 0, next, List.of());
    }

    /** Continues under the same lease. */
    public static Commit step(Start start) {
        return first(start, NextState.running(start.next().lease()));
    }

    public static Commit close(Start start) {
        return close(start, RunStatus.COMPLETED);
    }

    public static Commit close(Start start, RunStatus status) {
        return first(start, NextState.closed(status));
    }

    static Delivery signal(String workflowId, String key) {
        return new Delivery(workflowId, key, 1, new byte[10]);
    }

    /** Several items for one workflow id. */
    static List<Delivery> signals(String workflowId, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> signal(workflowId, "k" + i))
                .toList();
    }

    static Question question(String lane) {
        UUID id = newId();
        return new Question(id, newId(), "wf-" + id, lane, new byte[10]);
    }

    static Subscription subscription(String workflowId, String id, String key, Instant until) {
        return new Subscription(workflowId, id, "paid", key, new byte[10], until);
    }

    public static Claim claim(int limit, Instant floor, String... lanes) {
        return new Claim(
                List.of(lanes), limit, newLease(), LEASE, "node", "build", Duration.ofDays(1), Micros.MAX, floor);
    }

    /** To be claimed from a queue. */
    static Start queued(String workflowId, String lane, Queued place) {
        NextState next = NextState.pending(Alarm.NOW, WakeReason.START);
        return new Start(workflowId, newId(), "Order", lane, "", next, events(1), Set.of(), place);
    }

    static QueueClaim queueClaim(String queue, int limit, int total, Instant floor, String... lanes) {
        return queueClaim(queue, limit, total, null, null, floor, lanes);
    }

    static QueueClaim queueClaim(
            String queue,
            int limit,
            int total,
            QueueClaim.Rate rate,
            QueueClaim.Rate keyRate,
            Instant floor,
            String... lanes) {
        return new QueueClaim(
                queue,
                List.of(lanes),
                limit,
                total,
                rate,
                keyRate,
                newLease(),
                LEASE,
                "node",
                "build",
                Duration.ofDays(1),
                Micros.MAX,
                floor);
    }
}
