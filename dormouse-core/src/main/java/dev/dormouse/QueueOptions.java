package dev.dormouse;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The limits by which a node serves a queue. By default there are none. Immutable; start with {@link #DEFAULT}. All
 * nodes that serve a queue should use the same limits, because each node applies its own.
 *
 * <p>Work above a limit waits in the store, without a thread or heap memory. A run counts while it executes: a run that
 * sleeps, or waits for a signal or a retry, releases its slot. The runs of a dead node count until their leases expire.
 * If the store has several shards, all limits apply to each shard.
 */
public final class QueueOptions {
    private final int perNode;
    private final int total;
    private final Optional<Rate> rate;
    private final Optional<Rate> keyRate;

    /** Options without limits. */
    public static final QueueOptions DEFAULT = new QueueOptions(0, 0, Optional.empty(), Optional.empty());

    private QueueOptions(int perNode, int total, Optional<Rate> rate, Optional<Rate> keyRate) {
        require(perNode >= 0, "1 or more runs per node, or 0 for no limit", perNode);
        require(total >= 0, "1 or more runs in total, or 0 for no limit", total);
        this.perNode = perNode;
        this.total = total;
        this.rate = rate;
        this.keyRate = keyRate;
    }

    private static void require(boolean holds, String what, Object found) {
        if (!holds) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a queue with " + what + ", but got " + found + ". Change its options.");
        }
    }

    /**
     * Returns a copy with a maximum number of runs that execute on this node at the same time; 0 for no limit. Default:
     * 0.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code runs} is negative
     */
    public QueueOptions withMaxPerNode(int runs) {
        return new QueueOptions(runs, total, rate, keyRate);
    }

    /**
     * Returns a copy with a maximum number of runs that execute on all nodes together; 0 for no limit. Default: 0.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code runs} is negative
     */
    public QueueOptions withMaxTotal(int runs) {
        return new QueueOptions(perNode, runs, rate, keyRate);
    }

    /**
     * Returns a copy with a rate limit: at most {@code number} runs begin per {@code period}, on all nodes together,
     * evenly spread. Default: no limit.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code number} is less than 1, or {@code period} is not above zero
     *     or longer than 10 years
     */
    public QueueOptions withRate(int number, Duration period) {
        return new QueueOptions(perNode, total, Optional.of(checked(number, period)), keyRate);
    }

    /**
     * Returns a copy with a rate limit per key: at most {@code number} runs with the same rate key begin per
     * {@code period}, on all nodes together, evenly spread. Default: no limit.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code number} is less than 1, or {@code period} is not above zero
     *     or longer than 10 years
     */
    public QueueOptions withRatePerKey(int number, Duration period) {
        return new QueueOptions(perNode, total, rate, Optional.of(checked(number, period)));
    }

    private static Rate checked(int number, Duration period) {
        require(number > 0, "a rate of 1 or more", number);
        boolean isPositive = !required(period, "a period").isNegative() && !period.isZero();
        require(
                isPositive && period.compareTo(Duration.ofDays(3_650)) <= 0,
                "a period above zero, of 10 years at most",
                period);
        return new Rate(number, period);
    }

    /** Returns the maximum number of runs that execute on this node at the same time; 0 for no limit. Default: 0. */
    public int maxPerNode() {
        return perNode;
    }

    /** Returns the maximum number of runs that execute on all nodes together; 0 for no limit. Default: 0. */
    public int maxTotal() {
        return total;
    }

    /** Returns the maximum number of runs that begin per period, evenly spread. Default: no limit. */
    public Optional<Rate> rate() {
        return rate;
    }

    /** Returns the maximum number of runs of one rate key that begin per period, evenly spread. Default: no limit. */
    public Optional<Rate> ratePerKey() {
        return keyRate;
    }

    /**
     * A rate limit.
     *
     * @param number the maximum number of runs that begin
     * @param period the time in which they begin
     */
    public record Rate(int number, Duration period) {}

    private List<Object> values() {
        return List.of(perNode, total, rate, keyRate);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof QueueOptions that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "QueueOptions" + values();
    }
}
