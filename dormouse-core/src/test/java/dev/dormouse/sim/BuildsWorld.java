package dev.dormouse.sim;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.SignalMethod;
import dev.dormouse.StartOptions;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.history.Event;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.testing.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Nodes of two builds, of which the new one cannot read every input, signal and result that the old one can: a field
 * was added to them. All runs must end while a node of the old build is alive, none as failed, and each signal that was
 * accepted is applied.
 */
final class BuildsWorld extends ApiWorld {
    private static final int SIGNALS = 3;

    private final Function<BuildsWorld, Function<DormouseBuilder, DormouseBuilder>> newBuild;
    private final Set<String> applied = new HashSet<>();
    private final Set<String> accepted = new HashSet<>();

    record Order(String item) {}

    /** The order of the new build: each field is needed. */
    record PricedOrder(String item, int price) {}

    @WorkflowInterface
    interface Ordering {
        @WorkflowMethod(name = "order")
        String order(Order order);

        @SignalMethod
        void put(Order more);
    }

    @WorkflowInterface
    interface PricedOrdering {
        @WorkflowMethod(name = "order")
        String order(PricedOrder order);

        @SignalMethod
        void put(PricedOrder more);
    }

    /** The workflow of a build that takes what it gets, and only then finds out whether it can read it. */
    @WorkflowInterface
    interface CarelessOrdering {
        @WorkflowMethod(name = "order")
        String order(Map<String, Object> order);

        @SignalMethod
        void put(Map<String, Object> more);
    }

    /** The steps that all builds share. */
    private class Work {
        private final List<String> items = new ArrayList<>();

        String order(String item, Class<?> type, Object step) {
            items.add(item);
            Workflow.await(Duration.ofSeconds(2), () -> items.size() > 1);
            Workflow.step("pack", type, () -> cast(step));
            Workflow.await(() -> items.size() > SIGNALS);
            return String.join(" ", items);
        }

        @SuppressWarnings("unchecked")
        private <T> T cast(Object value) {
            return (T) value;
        }

        void put(String item) {
            items.add(item);
            applied.add(Workflow.info().workflowId() + " " + item);
        }
    }

    private final class Old implements Ordering {
        private final Work work = new Work();

        @Override
        public String order(Order order) {
            return work.order(order.item(), Order.class, order);
        }

        @Override
        public void put(Order more) {
            work.put(more.item());
        }
    }

    private final class Priced implements PricedOrdering {
        private final Work work = new Work();

        @Override
        public String order(PricedOrder order) {
            return work.order(order.item(), PricedOrder.class, order);
        }

        @Override
        public void put(PricedOrder more) {
            work.put(more.item());
        }
    }

    private final class Careless implements CarelessOrdering {
        private final Work work = new Work();

        @Override
        public String order(Map<String, Object> order) {
            return work.order(read(order), PricedOrder.class, new PricedOrder("x", 1));
        }

        @Override
        public void put(Map<String, Object> more) {
            work.put(read(more));
        }

        private static String read(Map<String, Object> order) {
            if (!order.containsKey("price")) {
                throw new IllegalStateException("no price");
            }
            return (String) order.get("item");
        }
    }

    private BuildsWorld(long seed, Function<BuildsWorld, Function<DormouseBuilder, DormouseBuilder>> newBuild) {
        super(seed, world -> new MemoryStore(world.storeClock(), 1));
        this.newBuild = newBuild;
    }

    static BuildsWorld of(long seed) {
        return new BuildsWorld(seed, world -> node -> node.workflow(PricedOrdering.class, () -> world.new Priced()));
    }

    /** Whose new build fails where it cannot read something, and drops signals. */
    static BuildsWorld careless(long seed) {
        return new BuildsWorld(
                seed, world -> node -> node.workflow(CarelessOrdering.class, () -> world.new Careless()));
    }

    @Override
    DormouseBuilder node(DormouseBuilder builder, int number) {
        return number % 2 == 0
                ? newBuild.apply(this).apply(builder.buildId("new"))
                : builder.buildId("old").workflow(Ordering.class, Old::new);
    }

    /** Whichever node was killed, one of the next two nodes is of the old build. */
    @Override
    void clearedUp() {
        boot();
        boot();
    }

    @Override
    void call(Dormouse client, String id) {
        boolean hasTimeout = world.random().nextInt(3) == 0;
        StartOptions how = hasTimeout
                ? StartOptions.DEFAULT.withExecutionTimeout(
                        Duration.ofMillis(1_000 + world.random().nextInt(9_000)))
                : StartOptions.DEFAULT;
        WorkflowHandle<String> handle = start(client, "order", id, how, order("tea"));
        for (int i = 0; i < SIGNALS; i++) {
            pass(4_000);
            String item = "i" + i;
            Object more = order(item);
            boolean isAccepted =
                    tryUntilAnswered(ErrorCode.RUN_CLOSED.label()::equals, () -> handle.signalOnce(item, "put", more));
            if (isAccepted) {
                accepted.add(id + " " + item);
            }
        }
    }

    private Map<String, Object> order(String item) {
        Map<String, Object> order = new HashMap<>(Map.of("item", item));
        if (world.random().nextBoolean()) {
            order.put("price", 7);
        }
        return order;
    }

    @Override
    void check(RunRow row, List<Event> events) {
        Event.RunStarted started = (Event.RunStarted) events.get(0);
        boolean isWell = row.status() == RunStatus.COMPLETED
                || row.status() == RunStatus.TIMED_OUT && started.deadline() != null;
        expect(isWell, "a run ended otherwise: " + row + " " + events.get(events.size() - 1));
        for (String signal : accepted) {
            boolean isMeant = signal.startsWith(row.workflowId() + " ");
            expect(!isMeant || applied.contains(signal), "accepted and not applied: " + signal + " of " + row);
        }
    }
}
