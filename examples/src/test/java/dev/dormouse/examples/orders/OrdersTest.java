package dev.dormouse.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.DagState;
import dev.dormouse.dag.Dags;
import dev.dormouse.dag.PendingApproval;
import dev.dormouse.dag.model.StepStatus;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Orders in the pipeline. docs/dags.md quotes this. */
class OrdersTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> done = Collections.synchronizedList(new ArrayList<>());

    private class TestShop implements Shop {
        @Override
        public Map<String, Object> reserve(Map<String, Object> order) {
            done.add("reserve");
            return Map.of("number", "r-1", "sum", order.get("sum"));
        }

        @Override
        public void release(String number) {
            done.add("release " + number);
        }

        @Override
        public String pack(String item) {
            done.add("pack " + item);
            return "parcel with " + item;
        }

        @Override
        public void ask(Map<String, Object> question) {
            done.add("ask");
        }

        @Override
        public String ship(Parcels parcels) {
            done.add("ship " + parcels.number() + " " + parcels.parcels());
            return "on its way";
        }
    }

    private static Map<String, Object> order(int sum) {
        return Map.of("id", "o-17", "items", List.of("lamp", "chair"), "sum", sum, "restMillis", 3_600_000);
    }

    @Test
    void cheapOrderIsPaidPackedAndSent() {
        Dags dags = Dags.of(OrderPipeline.dag());
        try (TestDormouse test = TestDormouse.open(
                builder -> builder.activities(Shop.class, new TestShop()).plugin(dags))) {
            DagRun run = dags.start("order", order(120));
            test.advance(SECOND);

            test.dormouse().publish("order.paid", Map.of("id", "o-17", "by", "ada"));

            test.advance(SECOND);
            DagState state = run.state();
            assertThat(state.step("approve").status()).isEqualTo(StepStatus.SKIPPED);
            assertThat(state.step("rest").status()).isEqualTo(StepStatus.SLEEPING);

            Instant wakeAt = state.step("rest").wakeAt().orElseThrow();
            run.move("rest", wakeAt.minusSeconds(1_800), "the carrier comes earlier");

            assertThat(run.result(Duration.ofDays(1))).isEqualTo(Map.of("ship", "on its way"));
            assertThat(test.elapsed()).isLessThan(Duration.ofMinutes(31));
            assertThat(done)
                    .startsWith("reserve")
                    .endsWith("ship r-1 [parcel with lamp, parcel with chair]")
                    .containsOnlyOnce("pack lamp", "pack chair") // at the same time, in any order
                    .hasSize(4);
        }
    }

    @Test
    void expensiveOrderIsApprovedFirst() {
        Dags dags = Dags.of(OrderPipeline.dag());
        try (TestDormouse test = TestDormouse.open(
                builder -> builder.activities(Shop.class, new TestShop()).plugin(dags))) {
            DagRun run = dags.start("order", order(5_000));
            test.dormouse().publish("order.paid", Map.of("id", "o-17", "by", "ada"));
            test.advance(SECOND);

            PendingApproval pending = run.approvals().get(0);
            dags.approve(pending.token(), "grace", "she always pays");

            assertThat(run.result(Duration.ofDays(1))).isEqualTo(Map.of("ship", "on its way"));
            assertThat(done).contains("ask");
        }
    }

    @Test
    void cancelledOrderIsReleased() {
        Dags dags = Dags.of(OrderPipeline.dag());
        try (TestDormouse test = TestDormouse.open(
                builder -> builder.activities(Shop.class, new TestShop()).plugin(dags))) {
            DagRun run = dags.start("order", order(120));
            test.advance(SECOND);
            test.dormouse().publish("order.cancelled", Map.of("id", "o-17"));
            test.advance(SECOND);
            assertThat(run.handle().describe().status()).isEqualTo(RunStatus.CANCELLED);
            assertThat(done).containsExactly("reserve", "release r-1");
        }
    }

    @Test
    void sameOrderAsJson() {
        String json = OrderPipeline.dag().toJson();
        Dag read = Dag.fromJson(json);
        assertThat(read).isEqualTo(OrderPipeline.dag());
        assertThat(read.toMermaid()).contains("flowchart TD", "Shop.reserve");
    }

    @Test
    void exampleRuns() {
        OrdersExample.main(new String[0]);
    }
}
