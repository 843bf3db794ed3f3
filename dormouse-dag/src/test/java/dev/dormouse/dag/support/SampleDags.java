package dev.dormouse.dag.support;

import dev.dormouse.RetryPolicy;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagBuilder;
import dev.dormouse.dag.data.Condition;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;

/** Definitions for tests. */
public final class SampleDags {
    private SampleDags() {}

    /** Returns a definition that uses every feature. */
    public static DagBuilder everything() {
        return Dag.workflow("every-thing")
                .version(7)
                .runLimit(3)
                .idempotencyKey("$.input.order['the id']")
                .cancelOn("order.cancelled", Map.of("id", "$.input.order.id", "kind", "all"))
                .runTimeout(Duration.ofDays(2))
                .maxSleep(Duration.ofDays(400))
                .output(Map.of("a", "$.steps.a", "list", List.of(1, "x", "$.input?")))
                .task("a", "Shop.order")
                .input(Map.of("id", "$.input.order.id", "text", "$$.no.path", "n", 1.5))
                .timeout(Duration.ofMinutes(5))
                .retry(RetryPolicy.DEFAULT
                        .withMaxAttempts(3)
                        .withNonRetryable("com.acme.CardDeclined")
                        .withJitter(0.5))
                .onFailure("b")
                .compensate("c")
                .rateLimit(10, Duration.ofSeconds(1), "$.input.tenant")
                .concurrency(4)
                .task("b", "Shop.orderElsewhere")
                .input("$.failure")
                .task("c", "Shop.cancel")
                .input("$.steps.a.id")
                .sleep("s1", Duration.ofMillis(1_500))
                .after("a")
                .sleep("s2", "$.input.ms")
                .sleepUntil("s3", Instant.parse("2031-01-01T00:00:00Z"))
                .sleepUntil("s4", "$.steps.a.at")
                .after("a")
                .sleepUntil("s5", "0 9 * * MON-FRI", ZoneId.of("Europe/Berlin"))
                .waitForEvent("w", "order.paid", Map.of("id", "$.steps.a.id"), Duration.ofDays(3))
                .after("a")
                .approval("ok", Duration.ofDays(1))
                .ask("Mail.ask")
                .after("w", "s1")
                .map("m", "Images.resize", "$.steps.a.images")
                .parallelism(5)
                .limit(50)
                .input(Map.of("image", "$.item", "number", "$.index"))
                .after("a")
                .skipIf(Condition.any(
                        Condition.at("$.steps.a.total").isAbove(100),
                        Condition.not(Condition.at("$.steps.a.kind").isIn(List.of("x", "y"))),
                        Condition.all(
                                Condition.at("$.steps.a.b?").is(null),
                                Condition.at("$.steps.a.c").exists())))
                .subWorkflow("sub", "other")
                .after("ok")
                .subWorkflowType("code", "Trial");
    }
}
