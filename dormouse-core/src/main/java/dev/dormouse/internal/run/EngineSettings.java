package dev.dormouse.internal.run;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.engine.run.CrashLoopGuard;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How a node behaves. All durations are positive, all limits at least 1.
 *
 * @param leasePeriod how long a node may be silent before others take its runs over
 * @param sweepInterval how often a node looks for what it may have missed
 * @param parkGrace how long after its deadline a parked run is left to its node
 * @param parkAtMost waits up to this long are spent in memory
 * @param maxExecuting how many runs execute here at a time
 * @param maxParked how many runs wait in memory here at a time
 * @param maxTakeovers after how many deaths on probation a run is held to kill its node; see {@link CrashLoopGuard}
 * @param historyLimit how many events a history may have
 * @param closeGrace how long running code is given to come to a pause when the node closes
 * @param stuckRetry the shortest and
 * @param stuckRetryAtMost the longest time until a stuck run is tried again
 * @param retention how long closed runs are kept; empty: for ever
 * @param writers how many batches of one kind are on their way at a time
 * @param queues the queues that it serves, by name
 */
public record EngineSettings(
        Duration leasePeriod,
        Duration sweepInterval,
        Duration parkGrace,
        Duration parkAtMost,
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
        notNegative("longest park", parkAtMost);
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
