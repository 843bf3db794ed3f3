package dev.dormouse.definition;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.ActivityInterface;
import dev.dormouse.ActivityOptions;
import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.QueryMethod;
import dev.dormouse.QueueOptions;
import dev.dormouse.SignalMethod;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Generic interfaces whose type arguments define the parameter and result types of their methods. */
class GenericInterfaceTest {
    private static final ActivityOptions IN_QUEUE = ActivityOptions.DEFAULT.withQueue("q");

    record Foo(int number) {}

    interface Repo<T> {
        T save(T item);

        List<T> saveAll(List<T> items);

        T[] array(T[] items);

        Map<String, List<? extends T>> byName(T item);
    }

    @ActivityInterface
    interface FooRepo extends Repo<Foo> {}

    /** Redeclares a method, so that the compiler adds a bridge. */
    @ActivityInterface
    interface StatedRepo extends Repo<Foo> {
        @Override
        Foo save(Foo item);
    }

    private static class Saving implements FooRepo, StatedRepo {
        @Override
        public Foo save(Foo item) {
            return new Foo(item.number() + 1);
        }

        @Override
        public List<Foo> saveAll(List<Foo> items) {
            return items.stream().map(this::save).toList();
        }

        @Override
        public Foo[] array(Foo[] items) {
            return saveAll(List.of(items)).toArray(Foo[]::new);
        }

        @Override
        public Map<String, List<? extends Foo>> byName(Foo item) {
            return Map.of("x", List.of(save(item)));
        }
    }

    interface Flow<I, O> {
        @WorkflowMethod
        O run(I input);

        @SignalMethod
        void add(List<I> more);

        @UpdateMethod
        O change(I[] values);

        @QueryMethod
        List<O> seen(I one);
    }

    @WorkflowInterface
    interface FooFlow extends Flow<Foo, Foo> {}

    @WorkflowInterface
    interface StatedFlow extends Flow<Foo, Foo> {
        @Override
        @WorkflowMethod
        Foo run(Foo input);

        @Override
        @SignalMethod
        void add(List<Foo> more);
    }

    private static class FooFlowWorkflow implements FooFlow, StatedFlow {
        private final List<Foo> seen = new ArrayList<>();

        @Override
        public Foo run(Foo input) {
            seen.add(input);
            Workflow.await(() -> seen.size() == 4);
            Workflow.sleep(Duration.ofHours(1));
            return new Foo(seen.stream().mapToInt(Foo::number).sum());
        }

        @Override
        public void add(List<Foo> more) {
            for (Foo one : more) {
                seen.add(one);
            }
        }

        @Override
        public Foo change(Foo[] values) {
            seen.add(values[0]);
            return values[0];
        }

        @Override
        public List<Foo> seen(Foo one) {
            List<Foo> all = new ArrayList<>(seen);
            all.add(one);
            return all;
        }
    }

    private static int all(Repo<Foo> repo) {
        int sum = repo.save(new Foo(1)).number();
        for (Foo foo : repo.saveAll(List.of(new Foo(10), new Foo(20)))) {
            sum += foo.number();
        }
        for (Foo foo : repo.array(new Foo[] {new Foo(100)})) {
            sum += foo.number();
        }
        for (Foo foo : repo.byName(new Foo(1000)).get("x")) {
            sum += foo.number();
        }
        return sum;
    }

    @Test
    void activitiesOfAGenericInterfaceGetValuesOfItsTypeArgument() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(
                            node,
                            (ctx, input) -> all(ctx.activities(FooRepo.class)) + " "
                                    + all(ctx.activities(FooRepo.class, IN_QUEUE)))
                    .activities(FooRepo.class, new Saving())
                    .queue("q", QueueOptions.DEFAULT));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("1136 1136");
        });
    }

    @Test
    void methodThatIsStatedAgainIsOneMethod() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                        StatedRepo here = ctx.activities(StatedRepo.class);
                        StatedRepo queued = ctx.activities(StatedRepo.class, IN_QUEUE);
                        return here.save(new Foo(1)).number() + " "
                                + queued.save(new Foo(2)).number() + " " + all(here) + " " + all(queued);
                    })
                    .activities(StatedRepo.class, new Saving())
                    .queue("q", QueueOptions.DEFAULT));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("2 3 1136 1136");
        });
    }

    @Test
    void workflowsOfAGenericInterfaceGetValuesOfItsTypeArguments() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(FooFlow.class, FooFlowWorkflow::new));
            FooFlow flow = dormouse.workflow(FooFlow.class, "f");
            assertFlow(sim, dormouse.start(() -> flow.run(new Foo(1))), flow);
        });
    }

    @Test
    void workflowMethodThatIsStatedAgainIsOneMethod() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(StatedFlow.class, FooFlowWorkflow::new));
            StatedFlow flow = dormouse.workflow(StatedFlow.class, "f");
            assertFlow(sim, dormouse.start(() -> ((Flow<Foo, Foo>) flow).run(new Foo(1))), flow);
        });
    }

    private static void assertFlow(SimulatedDormouse sim, WorkflowHandle<Foo> handle, Flow<Foo, Foo> flow) {
        sim.advance(Duration.ofMinutes(1));
        flow.add(List.of(new Foo(2), new Foo(3)));
        assertThat(flow.change(new Foo[] {new Foo(4)})).isEqualTo(new Foo(4));
        assertThat(flow.seen(new Foo(5)).stream().mapToInt(Foo::number)).containsExactly(1, 2, 3, 4, 5);
        assertThat(sim.result(handle)).isEqualTo(new Foo(10));
    }

    @Test
    void childrenOfAGenericInterfaceReturnValuesOfItsTypeArgument() {
        @WorkflowInterface
        interface Plus extends Adding<Foo> {}
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                        Foo foo =
                                ctx.child(Plus.class, "c", ChildOptions.DEFAULT).plus(List.of(new Foo(1), new Foo(2)));
                        return "" + foo.number();
                    })
                    .workflow(Plus.class, () -> items -> {
                        Foo last = items.get(items.size() - 1);
                        return last;
                    }));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("2");
        });
    }

    interface Adding<T> {
        @WorkflowMethod
        T plus(List<T> items);
    }
}
