package dev.dormouse.store;

import static dev.dormouse.store.Samples.BUILD;
import static dev.dormouse.store.Samples.FAR;
import static dev.dormouse.store.Samples.LEASE;
import static dev.dormouse.store.Samples.NODE;
import static dev.dormouse.store.Samples.newLease;

import dev.dormouse.store.base.Micros;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.queue.QueueClaimed;
import dev.dormouse.store.run.Queued;
import dev.dormouse.store.run.Start;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A builder for starts of runs in a queue and for claims of the queue. By default a claim covers everything, without a
 * limit, expired leases included.
 */
final class QueueAsk {
    static final String QUEUE = "mails";
    static final String LANE_A = "mails@a";
    static final String LANE_B = "mails@b";

    private List<String> lanes = List.of(LANE_A, LANE_B);
    private int limit = 100;
    private int total;
    private QueueClaim.Rate rate;
    private QueueClaim.Rate keyRate;
    private Duration leasePeriod = LEASE;
    private String build = BUILD;
    private Duration patience = FAR;
    private Instant takeOverBefore = Micros.MAX;
    private Instant floor = Instant.EPOCH;

    static Start queued(String workflowId) {
        return queued(workflowId, LANE_A, new Queued(QUEUE, 0, ""));
    }

    static Start queued(String workflowId, String lane, Queued place) {
        return in(Samples.inLane(Samples.pending(workflowId), lane), place);
    }

    /** Returns the start with a place in a queue. */
    static Start in(Start start, Queued place) {
        return new Start(
                start.workflowId(),
                start.runId(),
                start.type(),
                start.lane(),
                start.owner(),
                start.next(),
                start.first(),
                start.replaces(),
                place);
    }

    QueueAsk lanes(String... names) {
        lanes = List.of(names);
        return this;
    }

    QueueAsk limit(int number) {
        limit = number;
        return this;
    }

    QueueAsk total(int number) {
        total = number;
        return this;
    }

    QueueAsk rate(int number, Duration period) {
        rate = new QueueClaim.Rate(number, period);
        return this;
    }

    QueueAsk keyRate(int number, Duration period) {
        keyRate = new QueueClaim.Rate(number, period);
        return this;
    }

    QueueAsk leasePeriod(Duration period) {
        leasePeriod = period;
        return this;
    }

    QueueAsk build(String name, Duration waited) {
        build = name;
        patience = waited;
        return this;
    }

    QueueAsk takeOverBefore(Instant end) {
        takeOverBefore = end;
        return this;
    }

    /** Lets the claim skip what earlier claims have scanned. */
    QueueAsk onlyNew() {
        floor = Micros.MAX;
        return this;
    }

    QueueClaimed of(Store store) {
        return store.claimQueued(
                Samples.SHARD,
                new QueueClaim(
                        QUEUE,
                        lanes,
                        limit,
                        total,
                        rate,
                        keyRate,
                        newLease(),
                        leasePeriod,
                        NODE,
                        build,
                        patience,
                        takeOverBefore,
                        floor));
    }
}
