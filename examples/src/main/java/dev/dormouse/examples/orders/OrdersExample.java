package dev.dormouse.examples.orders;

import dev.dormouse.Dormouse;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.Dags;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A program that runs one order through the pipeline, and prints its state on the way. The argument is a store URL;
 * default: an in-memory SQLite store.
 */
public final class OrdersExample {
    private OrdersExample() {}

    public static void main(String[] args) {
        Dags dags = Dags.of(OrderPipeline.dag());
        try (Dormouse dormouse = Dormouse.builder()
                .store(args.length > 0 ? args[0] : "sqlite::memory:")
                .activities(Shop.class, new ConsoleShop())
                .plugin(dags)
                .open()) {
            Map<String, Object> order = Map.of("id", "o-17", "items", List.of("lamp", "chair"), "restMillis", 1_000);
            DagRun run = dags.start("order", order);
            dormouse.publish("order.paid", Map.of("id", "o-17", "by", "ada"));
            run.result(Duration.ofMinutes(1));
            System.out.println(run.toMermaid());
        }
    }

    private static final class ConsoleShop implements Shop {
        @Override
        public Map<String, Object> reserve(Map<String, Object> order) {
            System.out.println("Reserved " + order.get("items") + ".");
            return Map.of("number", "r-1", "sum", 120);
        }

        @Override
        public void release(String number) {
            System.out.println("Released " + number + ".");
        }

        @Override
        public String pack(String item) {
            System.out.println("Packed " + item + ".");
            return "parcel with " + item;
        }

        @Override
        public void ask(Map<String, Object> question) {
            System.out.println("Please approve " + question.get("input") + ": " + question.get("token"));
        }

        @Override
        public String ship(Parcels parcels) {
            System.out.println("Sent " + parcels.parcels() + ".");
            return "on its way";
        }
    }
}
