package dev.dormouse.testing.sim;

import java.time.Duration;

/**
 * The faults of a node's connection to the store. Probabilities are per call (or notice), from 0 to 1.
 *
 * @param latency the maximum normal duration of a request or its answer
 * @param crash the node dies before the request is sent, or after it was executed and before the answer arrives
 * @param unknown the connection breaks: the request was executed, was not, or is executed later, and the caller cannot
 *     know
 * @param locked an entry of a batch comes back as locked
 * @param stall a request or its answer takes up to {@code longest}
 * @param longest the maximum duration of a stall or a late execution; longer than a lease
 * @param lostNotice a notice does not reach a node
 * @param doubledNotice a notice reaches a node twice
 * @param noticeDelay the maximum delay of a notice; delayed notices are overtaken by others
 */
public record FaultProfile(
        Duration latency,
        double crash,
        double unknown,
        double locked,
        double stall,
        Duration longest,
        double lostNotice,
        double doubledNotice,
        Duration noticeDelay) {

    /** No faults; calls take a short time. */
    public static final FaultProfile CALM =
            new FaultProfile(Duration.ofMillis(2), 0, 0, 0, 0, Duration.ofSeconds(30), 0, 0, Duration.ofMillis(2));

    /** No faults; calls take no time. */
    public static final FaultProfile PERFECT = CALM.withLatency(Duration.ZERO).withBadNotices(0, 0, Duration.ZERO);

    /** All faults, each occasionally. */
    public static final FaultProfile HOSTILE = CALM.withCrashes(0.005)
            .withUnknown(0.03)
            .withLocked(0.02)
            .withStalls(0.005)
            .withBadNotices(0.2, 0.1, Duration.ofMillis(500));

    public FaultProfile withLatency(Duration most) {
        return new FaultProfile(most, crash, unknown, locked, stall, longest, lostNotice, doubledNotice, noticeDelay);
    }

    public FaultProfile withCrashes(double chance) {
        return new FaultProfile(
                latency, chance, unknown, locked, stall, longest, lostNotice, doubledNotice, noticeDelay);
    }

    public FaultProfile withUnknown(double chance) {
        return new FaultProfile(latency, crash, chance, locked, stall, longest, lostNotice, doubledNotice, noticeDelay);
    }

    public FaultProfile withLocked(double chance) {
        return new FaultProfile(
                latency, crash, unknown, chance, stall, longest, lostNotice, doubledNotice, noticeDelay);
    }

    public FaultProfile withStalls(double chance) {
        return new FaultProfile(
                latency, crash, unknown, locked, chance, longest, lostNotice, doubledNotice, noticeDelay);
    }

    /** Returns a profile whose stalls and late executions last at most {@code most}. */
    public FaultProfile lastingUpTo(Duration most) {
        return new FaultProfile(latency, crash, unknown, locked, stall, most, lostNotice, doubledNotice, noticeDelay);
    }

    public FaultProfile withBadNotices(double lost, double doubled, Duration delay) {
        return new FaultProfile(latency, crash, unknown, locked, stall, longest, lost, doubled, delay);
    }
}
