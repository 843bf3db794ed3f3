package dev.dormouse.message;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.support.Box;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Signals, queries and updates of interfaces that extend other interfaces. */
class SignalInterfaceTest {
    @WorkflowInterface
    interface Told<T> {
        @WorkflowMethod
        String run(int number);

        @SignalMethod
        void tell(T what);

        @SignalMethod
        default void say(String text) {
            sayIt("default " + text);
        }

        void sayIt(String text);

        @QueryMethod
        List<T> all();

        @QueryMethod
        Box.Item first();
    }

    interface Middle extends Told<Box.Item> {
        @SignalMethod(name = "more")
        void tellMore(Map<String, List<Box.Item>> more, Instant when);
    }

    @WorkflowInterface
    interface Leaf extends Middle {
        @UpdateMethod
        Map<String, Box.Item> swap(List<? extends Box.Item> items);
    }

    static class LeafWorkflow implements Leaf {
        private final List<String> said = new ArrayList<>();
        private final List<Box.Item> items = new ArrayList<>();

        @Override
        public String run(int number) {
            Workflow.await(() -> said.size() >= number);
            return String.join(";", said);
        }

        @Override
        public void tell(Box.Item what) {
            said.add(what.name());
        }

        @Override
        public Box.Item first() {
            return items.get(0);
        }

        @Override
        public void sayIt(String text) {
            said.add(text);
        }

        @Override
        public void tellMore(Map<String, List<Box.Item>> more, Instant when) {
            more.forEach((key, list) -> {
                for (Box.Item item : list) {
                    items.add(item);
                    said.add(key + item.name() + when.getEpochSecond());
                }
            });
        }

        @Override
        public List<Box.Item> all() {
            return items;
        }

        @Override
        public Map<String, Box.Item> swap(List<? extends Box.Item> given) {
            for (Box.Item item : given) {
                items.add(item);
            }
            return Map.of("first", items.get(0));
        }
    }

    @Test
    void methodsOfParentInterfacesAndGenericParametersWork() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Leaf.class, LeafWorkflow::new));
            Leaf leaf = dormouse.workflow(Leaf.class, "l");
            WorkflowHandle<String> handle = dormouse.start(() -> leaf.run(2));
            leaf.tellMore(Map.of("k", List.of(new Box.Item("a", 1))), Instant.ofEpochSecond(7));
            assertThat(leaf.swap(List.of(new Box.Item("b", 2)))).containsEntry("first", new Box.Item("a", 1));
            assertThat(leaf.first()).isEqualTo(new Box.Item("a", 1));
            leaf.say("it");
            assertThat(sim.result(handle)).isEqualTo("ka7;default it");
        });
    }

    @Test
    void typeParametersOfAParentInterfaceAreResolved() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Leaf.class, LeafWorkflow::new));
            Leaf leaf = dormouse.workflow(Leaf.class, "l");
            WorkflowHandle<String> handle = dormouse.start(() -> leaf.run(1));
            leaf.swap(List.of(new Box.Item("b", 2)));
            assertThat(leaf.all()).containsExactly(new Box.Item("b", 2));
            leaf.tell(new Box.Item("c", 3));
            assertThat(sim.result(handle)).isEqualTo("c");
        });
    }

    @Test
    void methodWithoutAnAnnotationCannotBeCalledByAStub() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Leaf.class, LeafWorkflow::new));
            Leaf leaf = dormouse.workflow(Leaf.class, "l");
            dormouse.start(() -> leaf.run(2));
            assertClear(catchThrowable(() -> leaf.sayIt("x")), ErrorCode.BAD_STUB_CALL);
        });
    }

    @WorkflowInterface
    interface Twice {
        @WorkflowMethod
        String run(String input);

        @QueryMethod
        String fine();

        @SignalMethod
        @UpdateMethod
        void culprit(String text);

        @QueryMethod
        String alsoFine();
    }

    @Test
    void errorAboutTwoAnnotationsNamesTheMethod() {
        Throwable problem = catchThrowable(() -> Dormouse.builder().workflow(Twice.class, () -> null));
        assertClear(problem, ErrorCode.BAD_WORKFLOW_INTERFACE);
        assertThat(problem.getMessage()).contains("culprit");
    }
}
