package dev.dormouse.definition;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.dormouse.Activity;
import dev.dormouse.ActivityInterface;
import dev.dormouse.ActivityOptions;
import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.QueryMethod;
import dev.dormouse.QueueOptions;
import dev.dormouse.SignalMethod;
import dev.dormouse.TypeRef;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Generic types as inputs, results and arguments. */
class TypeTokenTest {
    private static final TypeRef<List<Order>> ORDERS = new TypeRef<>() {};
    private static final List<Order> TWO = List.of(new Order(1), new Order(2));
    private static final Duration HOUR = Duration.ofHours(1);

    record Order(int number) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({@JsonSubTypes.Type(Circle.class), @JsonSubTypes.Type(Square.class)})
    sealed interface Shape {}

    record Circle(int radius) implements Shape {}

    record Square(int side) implements Shape {}

    private static final List<Shape> SHAPES = List.of(new Circle(1), new Square(2));

    @ActivityInterface
    interface Atelier {
        List<Shape> larger(List<Shape> shapes, Map<String, Shape> named);
    }

    @WorkflowInterface
    interface Drawing {
        @WorkflowMethod
        List<Shape> draw(List<Shape> shapes);

        @SignalMethod
        void add(List<Shape> more);

        @UpdateMethod
        Optional<Shape> replace(Optional<Shape> last);

        @QueryMethod
        List<Shape> shapes(List<Shape> more);
    }

    private static final class DrawingWorkflow implements Drawing {
        private final List<Shape> shapes = new ArrayList<>();
        private boolean replaced;

        @Override
        public List<Shape> draw(List<Shape> first) {
            shapes.addAll(first);
            Workflow.await(() -> replaced);
            List<Shape> local = Workflow.activities(Atelier.class).larger(shapes, Map.of("first", shapes.get(0)));
            List<Shape> queued = Workflow.activities(Atelier.class, ActivityOptions.DEFAULT.withQueue("q"))
                    .larger(local, Map.of("first", local.get(0)));
            return Workflow.step("copy", new TypeRef<List<Shape>>() {}, () -> queued);
        }

        @Override
        public void add(List<Shape> more) {
            shapes.addAll(more);
        }

        @Override
        public Optional<Shape> replace(Optional<Shape> last) {
            replaced = true;
            Shape old = shapes.remove(shapes.size() - 1);
            shapes.add(last.orElseThrow());
            return Optional.of(old);
        }

        @Override
        public List<Shape> shapes(List<Shape> more) {
            List<Shape> all = new ArrayList<>(shapes);
            all.addAll(more);
            return all;
        }
    }

    @Test
    void elementsOfPolymorphicTypesComeBackWhereverTheSignatureNamesThem() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Drawing.class, DrawingWorkflow::new)
                    .activities(Atelier.class, (shapes, named) -> {
                        List<Shape> all = new ArrayList<>(shapes);
                        all.add(named.get("first"));
                        return all;
                    })
                    .queue("q", QueueOptions.DEFAULT));
            Drawing stub = dormouse.workflow(Drawing.class, "d");
            WorkflowHandle<List<Shape>> handle = dormouse.start(() -> stub.draw(SHAPES));
            stub.add(List.of(new Square(3)));
            handle.signal("add", List.of(new Square(4)));
            sim.advance(Duration.ofMinutes(1));
            assertThat(handle.query("shapes", new TypeRef<List<Shape>>() {}, List.of(new Circle(9))))
                    .containsExactly(new Circle(1), new Square(2), new Square(3), new Square(4), new Circle(9));
            sim.advance(HOUR);
            assertThat(stub.replace(Optional.of(new Circle(5)))).contains(new Square(4));
            assertThat(sim.result(handle))
                    .containsExactly(
                            new Circle(1), new Square(2), new Square(3), new Circle(5), new Circle(1), new Circle(1));
            WorkflowHandle<List<Shape>> found =
                    dormouse.find("d", new TypeRef<List<Shape>>() {}).orElseThrow();
            assertThat(sim.result(found)).hasSize(6);
        });
    }

    @Test
    void listsOfRecordsComeBackByTypeTokens() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> SimulatedDormouse.echo(node)
                    .workflow("child", ORDERS, ORDERS, (ctx, input) -> input)
                    .activity("double", ORDERS, ORDERS, input -> {
                        Activity.heartbeat(input);
                        Activity.checkpoint(input);
                        List<Order> all =
                                new ArrayList<>(Activity.lastHeartbeat(ORDERS).orElseThrow());
                        all.addAll(Activity.lastCheckpoint(ORDERS).orElseThrow());
                        return all;
                    })
                    .workflow("w", ORDERS, new TypeRef<Map<String, Order>>() {}, (ctx, input) -> {
                        List<Order> orders = ctx.step("load", ORDERS, () -> input);
                        ctx.sleep(HOUR);
                        orders = ctx.activity("twice", "double", ActivityOptions.DEFAULT, ORDERS, orders);
                        orders = ctx.child("child", "c", ChildOptions.DEFAULT, ORDERS, orders)
                                .get();
                        orders = ctx.waitForSignal(HOUR).orElseThrow().value(ORDERS);
                        Order first = orders.get(0);
                        List<Order> told = ctx.waitForEvent("told", Map.of()).payload(ORDERS);
                        return Map.of("first", first, "last", told.get(told.size() - 1));
                    }));
            List<Order> fired = new ArrayList<>();
            dormouse.timers().handle("t", ORDERS, orders -> fired.addAll(orders));
            dormouse.timers().after(HOUR, "t", TWO);
            WorkflowHandle<Map<String, Order>> handle =
                    dormouse.start("w", "w", new TypeRef<Map<String, Order>>() {}, TWO);
            handle.signal("go", TWO);
            sim.advance(HOUR.plusMinutes(1));
            dormouse.publish("told", TWO);
            assertThat(sim.result(handle).get("last")).isEqualTo(new Order(2));
            assertThat(fired).isEqualTo(TWO);
        });
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void rawTypesAreRefusedBeforeAnythingIsDone() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> new Scenario.BadCalls()
                            .add("step", () -> ctx.step("x", List.class, () -> log(sim)))
                            .add(
                                    "options",
                                    () -> ctx.step("x", ActivityOptions.DEFAULT, Map.class, () -> Map.of(1, log(sim))))
                            .add("transaction", () -> ctx.transaction("x", List.class, connection -> log(sim)))
                            .add("array", () -> ctx.step("x", List[].class, () -> new List[] {log(sim)}))
                            .add("child", () -> ctx.child("echo", "e", ChildOptions.DEFAULT, Optional.class, "x"))
                            .add("activity", () -> ctx.activity("x", "a", ActivityOptions.DEFAULT, List.class, "x"))
                            .unclear());
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            assertThat(sim.result(handle)).isEmpty();
            assertThat(sim.log()).isEmpty();
            Throwable refused = catchThrowable(() -> dormouse.start("w", "other", Map.class, ""));
            assertClear(refused, ErrorCode.BAD_ARGUMENT);
            assertThat(refused).hasMessageContaining("new TypeRef<Map<…, …>>() {}");
            assertThat(new Scenario.BadCalls()
                            .add("find", () -> dormouse.find("w", List.class))
                            .add("query", () -> handle.query("q", List.class))
                            .add("update", () -> handle.update("u", List.class))
                            .add("timer", () -> dormouse.timers().handle("t", List.class, list -> {}))
                            .add(
                                    "workflow",
                                    () -> Dormouse.builder().workflow("w", List.class, List.class, (c, i) -> i))
                            .add("function", () -> Dormouse.builder().activity("a", List.class, List.class, i -> i))
                            .add("no argument", () -> new TypeRef() {})
                            .add("raw argument", () -> new TypeRef<List<Map>>() {})
                            .add("variable", TypeTokenTest::variable)
                            .unclear())
                    .isEmpty();
        });
    }

    private static List<String> log(SimulatedDormouse sim) {
        sim.log("was called");
        return List.of();
    }

    private static <T> void variable() {
        new TypeRef<List<T>>() {};
    }
}
