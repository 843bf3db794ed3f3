package dev.dormouse.internal.run;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of a node. All durations are positive and all limits at least 1, unless stated otherwise.
 *
 * @param leasePeriod how long a node may be silent before other nodes take over its runs
 * @param sweepInterval how often a node looks for alarms that it may have missed
 * @param parkGrace how long after its deadline a parked run is left to its node
 * @param maxParkTime the longest wait that is spent in memory; zero for none
 * @param maxExecuting the number of runs that execute on this node at the same time
 * @param maxParked the number of runs that wait in this node's memory at the same time; 0 for none
 * @param maxTakeovers the number of deaths on probation after which a run becomes stuck; see {@code CrashLoopGuard}
 * @param historyLimit the maximum number of events in a history
 * @param closeGrace how long executing code may take to reach a pause when the node closes; may be zero
 * @param stuckRetry the shortest time until a stuck run is retried
 * @param stuckRetryAtMost the longest time until a stuck run is retried
 * @param retention how long closed runs are kept; empty for forever
 * @param writers the number of commit batches of one shard in flight at the same time
 * @param queues the queues that the node serves, by name
 */
public record EngineSettings(
        Duration leasePeriod,
        Duration sweepInterval,
        Duration parkGrace,
        Duration maxParkTime,
        int maxExecuting,
        int maxParked,
        int maxTakeovers,
        int historyLimit,
        Duration closeGrace,
        Duration stuckRetry,
        Duration stuckRetryAtMost,
        Optional<Duration> retention,
        int writers,
        Map<String, QueueLimits> queues) {

    private static final Duration LONGEST = Duration.ofDays(36_500);

    public EngineSettings {
        positive("lease period", leasePeriod);
        positive("sweep interval", sweepInterval);
        positive("park grace", parkGrace);
        notNegative("longest park", maxParkTime);
        positive("number of executing runs", maxExecuting);
        notNegative("number of parked runs", maxParked);
        positive("number of takeovers", maxTakeovers);
        positive("history limit", historyLimit);
        notNegative("time to close", closeGrace);
        positive("stuck retry", stuckRetry);
        positive("longest stuck retry", stuckRetryAtMost);
        retention.ifPresent(age -> positive("retention", age));
        positive("number of writers", writers);
        queues = Map.copyOf(queues);
    }

    private static void positive(String what, Duration value) {
        require(
                !value.isNegative() && !value.isZero() && value.compareTo(LONGEST) <= 0,
                what,
                "a positive duration of at most " + LONGEST.toDays() + " days",
                value);
    }

    private static void notNegative(String what, Duration value) {
        require(
                !value.isNegative() && value.compareTo(LONGEST) <= 0,
                what,
                "a duration of zero to " + LONGEST.toDays() + " days",
                value);
    }

    private static void positive(String what, int value) {
        require(value > 0, what, "1 or more", value);
    }

    private static void notNegative(String what, int value) {
        require(value >= 0, what, "0 or more", value);
    }

    private static void require(boolean holds, String what, String expected, Object found) {
        if (!holds) {
            throw new DormouseException(
                    ErrorCode.BAD_SETTING,
                    "Expected the " + what + " to be " + expected + ", but it is " + found
                            + ". Change it in Dormouse.builder().");
        }
    }
}
