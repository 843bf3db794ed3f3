package dev.dormouse;

import static dev.dormouse.Arguments.required;

import dev.dormouse.engine.QueueLimits;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.QueueClaim;
import java.time.Duration;
import java.util.Optional;

/**
 * How a node serves a queue. By default without limits. Immutable; begin with {@link #DEFAULT}. Every node that serves
 * the queue should do so with the same limits: each goes by its own.
 *
 * <p>What is over a limit waits in the store and holds no thread and no heap. A run counts while it executes: one that
 * sleeps, waits for a signal or for a retry gives its room up meanwhile. When a node dies its runs count until their
 * leases are over. Where the store has several shards, all limits are kept for each of them.
 *
 * @param perNode how many execute on this node at a time; 0 for any number. Default: 0
 * @param total how many execute on all nodes together; 0 for any number. Default: 0
 * @param rate how many begin in a period, evenly spread. Default: any number
 * @param keyRate the same for each rate key. Default: any number
 */
public record QueueOptions(int perNode, int total, Optional<QueueClaim.Rate> rate, Optional<QueueClaim.Rate> keyRate) {

    public static final QueueOptions DEFAULT = new QueueOptions(0, 0, Optional.empty(), Optional.empty());

    public QueueOptions {
        require(perNode >= 0, "1 or more runs per node, or 0 for any number", perNode);
        require(total >= 0, "1 or more runs in all, or 0 for any number", total);
    }

    private static void require(boolean holds, String what, Object found) {
        if (!holds) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a queue with " + what + ", but got " + found + ". Change its options.");
        }
    }

    public QueueOptions perNode(int runs) {
        return new QueueOptions(runs, total, rate, keyRate);
    }

    public QueueOptions total(int runs) {
        return new QueueOptions(perNode, runs, rate, keyRate);
    }

    /** At most so many begin in each period, on all nodes together, evenly spread over it. */
    public QueueOptions rate(int number, Duration period) {
        return new QueueOptions(perNode, total, Optional.of(checked(number, period)), keyRate);
    }

    /** At most so many of each rate key begin in each period, on all nodes together, evenly spread over it. */
    public QueueOptions ratePerKey(int number, Duration period) {
        return new QueueOptions(perNode, total, rate, Optional.of(checked(number, period)));
    }

    private static QueueClaim.Rate checked(int number, Duration period) {
        require(number > 0, "a rate of 1 or more", number);
        boolean isPositive = !required(period, "a period").isNegative() && !period.isZero();
        require(
                isPositive && period.compareTo(Duration.ofDays(3_650)) <= 0,
                "a period above zero, of 10 years at most",
                period);
        return new QueueClaim.Rate(number, period);
    }

    QueueLimits limits() {
        return new QueueLimits(perNode, total, rate.orElse(null), keyRate.orElse(null));
    }
}
