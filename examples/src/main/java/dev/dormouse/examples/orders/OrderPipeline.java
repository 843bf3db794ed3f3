package dev.dormouse.examples.orders;

import dev.dormouse.RetryPolicy;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.data.Condition;
import java.time.Duration;
import java.util.Map;

/**
 * The DAG of an order: reserved, paid, approved if it is expensive, packed item by item, and sent the next morning.
 */
public final class OrderPipeline {
    private OrderPipeline() {}

    public static Dag dag() {
        return Dag.workflow("order")
                .idempotencyKey("$.input.id")
                .cancelOn("order.cancelled", Map.of("id", "$.input.id"))
                .runTimeout(Duration.ofDays(30))
                .task("reserve", "Shop.reserve")
                .input("$.input")
                .retry(RetryPolicy.DEFAULT.withMaxAttempts(5))
                .compensate("release")
                .waitForEvent("paid", "order.paid", Map.of("id", "$.input.id"), Duration.ofDays(3))
                .after("reserve")
                .approval("approve", Duration.ofDays(1))
                .ask("Shop.ask")
                .input(Map.of("order", "$.input.id", "sum", "$.steps.reserve.sum"))
                .after("paid")
                .skipIf(Condition.at("$.steps.reserve.sum").isBelow(1_000))
                .map("pack", "Shop.pack", "$.input.items")
                .parallelism(4)
                .rateLimit(100, Duration.ofMinutes(1))
                .after("approve")
                .sleep("rest", "$.input.restMillis")
                .after("pack")
                .task("ship", "Shop.ship")
                .input(Map.of("number", "$.steps.reserve.number", "parcels", "$.steps.pack"))
                .after("rest", "reserve", "pack")
                .task("release", "Shop.release")
                .input("$.steps.reserve.number")
                .build();
    }
}
