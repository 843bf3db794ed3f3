package dev.dormouse.definition;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.ActivityInterface;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.QueueOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Interfaces with the same simple name in different packages, whose implementations must not be mixed up. */
class SameNameTest {
    private static final ActivityOptions IN_QUEUE = ActivityOptions.DEFAULT.withQueue("mail");

    /** One service. */
    private static final class A {
        @ActivityInterface
        interface Mail {
            String send(String text);
        }

        @WorkflowInterface
        interface Order {
            @WorkflowMethod
            String run(String text);
        }
    }

    /** Another service. */
    private static final class B {
        @ActivityInterface
        interface Mail {
            String send(String text);
        }

        @WorkflowInterface
        interface Order {
            @WorkflowMethod
            String run(String text);
        }
    }

    /** The first service after its interface has moved to another package. */
    private static final class Moved {
        @ActivityInterface(name = "Mail")
        interface Post {
            String send(String text);
        }

        @WorkflowInterface
        interface OrderForClients {
            @WorkflowMethod(name = "Order")
            String run(String text);
        }
    }

    @ActivityInterface(name = "com.acme.Mail")
    interface Named {
        String send(String text);
    }

    private static DormouseBuilder serviceA(DormouseBuilder node) {
        return SimulatedDormouse.echo(node)
                .workflow(
                        "wA",
                        String.class,
                        String.class,
                        (ctx, text) -> ctx.activities(A.Mail.class, IN_QUEUE).send(text))
                .activities(A.Mail.class, text -> "A " + text)
                .queue("mail", QueueOptions.DEFAULT);
    }

    private static DormouseBuilder serviceB(DormouseBuilder node) {
        return SimulatedDormouse.echo(node)
                .workflow(
                        "wB",
                        String.class,
                        String.class,
                        (ctx, text) -> ctx.activities(B.Mail.class, IN_QUEUE).send(text))
                .activities(B.Mail.class, text -> "B " + text)
                .queue("mail", QueueOptions.DEFAULT);
    }

    private static void assertEachGetsItsOwn(SimulatedDormouse sim, Dormouse one, Dormouse two, Duration atMost) {
        List<WorkflowHandle<String>> ofA = new ArrayList<>();
        List<WorkflowHandle<String>> ofB = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ofA.add(one.start("wA", "a" + i, String.class, "x"));
            ofB.add(two.start("wB", "b" + i, String.class, "x"));
        }
        ofA.forEach(handle -> assertThat(sim.result(handle)).isEqualTo("A x"));
        ofB.forEach(handle -> assertThat(sim.result(handle)).isEqualTo("B x"));
        assertThat(sim.elapsed()).isLessThan(atMost);
    }

    @Test
    void twoServicesWithInterfacesOfOneNameInOneQueueGetTheirOwnCalls() {
        simulate(sim -> {
            Dormouse one = sim.open(SameNameTest::serviceA);
            Dormouse two = sim.open(SameNameTest::serviceB);
            assertEachGetsItsOwn(sim, one, two, Duration.ofMinutes(1));
        });
    }

    @Test
    void twoServicesThatNameTheirBuildsAlikeGetTheirOwnCallsToo() {
        simulate(sim -> {
            Dormouse one = sim.open(node -> serviceA(node).buildId("1.0"));
            Dormouse two = sim.open(node -> serviceB(node).buildId("1.0"));
            assertEachGetsItsOwn(sim, one, two, Duration.ofHours(12));
        });
    }

    @Test
    void callOfAnInterfaceThatOnlyAnotherOfThatNameServesWaitsWithAClearMessage() {
        simulate(sim -> {
            Dormouse two = sim.open(SameNameTest::serviceB);
            Dormouse one = sim.open(node -> Scenario.with(
                            node, (ctx, text) -> ctx.activities(A.Mail.class).send("x"))
                    .remoteActivities(A.Mail.class));
            WorkflowHandle<String> handle = Scenario.start(one);
            sim.await(
                    "a stuck activity",
                    () -> one.list(ListOptions.ALL.withStatuses(RunStatus.STUCK))
                                    .runs()
                                    .size()
                            == 1);
            String trouble = one.list(ListOptions.ALL.withStatuses(RunStatus.STUCK))
                    .runs()
                    .get(0)
                    .trouble();
            assertClear(trouble, ErrorCode.UNKNOWN_ACTIVITY);
            assertThat(trouble)
                    .contains(A.Mail.class.getName())
                    .contains(B.Mail.class.getName())
                    .contains("@ActivityInterface(name = \"Mail\")");
            sim.open(node -> node.activities(A.Mail.class, text -> "A " + text));
            assertThat(sim.result(handle)).isEqualTo("A x");
            sim.assertStillWorks(two);
        });
    }

    @Test
    void interfaceThatDeclaresItsNameExecutesCallsOfAnyInterfaceOfThatName() {
        simulate(sim -> {
            Dormouse caller = sim.open(node -> Scenario.with(
                            node, (ctx, text) -> ctx.activities(A.Mail.class).send("x"))
                    .remoteActivities(A.Mail.class));
            sim.open(node -> node.activities(Moved.Post.class, text -> "moved " + text));
            assertThat(sim.result(Scenario.start(caller))).isEqualTo("moved x");
        });
    }

    @Test
    void declaredNameIsTheNameOfTheStep() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(
                            node,
                            (ctx, text) -> ctx.activities(Named.class).send("x")
                                    + ctx.activity("by name", "com.acme.Mail.send", IN_QUEUE, String.class, "y"))
                    .activities(Named.class, text -> "named " + text)
                    .activities(A.Mail.class, text -> "A " + text)
                    .queue("mail", QueueOptions.DEFAULT));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            assertThat(sim.result(handle)).isEqualTo("named xnamed y");
            assertThat(handle.history().toString()).contains("com.acme.Mail.send");
        });
    }

    @Test
    void twoActivityInterfacesOfOneNameOnANodeAreRefused() {
        List<UnaryOperator<DormouseBuilder>> pairs = List.of(
                node -> node.activities(A.Mail.class, text -> "A").activities(B.Mail.class, text -> "B"),
                node -> node.activities(A.Mail.class, text -> "A").remoteActivities(B.Mail.class),
                node -> node.remoteActivities(B.Mail.class).activities(A.Mail.class, text -> "A"));
        for (UnaryOperator<DormouseBuilder> pair : pairs) {
            Throwable refused = catchThrowable(() -> pair.apply(Dormouse.builder()));
            assertClear(refused, ErrorCode.BAD_ACTIVITY_INTERFACE);
            assertThat(refused)
                    .hasMessageContaining(A.Mail.class.getName())
                    .hasMessageContaining(B.Mail.class.getName())
                    .hasMessageContaining("@ActivityInterface(name = ");
        }
    }

    @Test
    void nameOfAnActivityInterfaceIsChecked() {
        @ActivityInterface(name = "a:b")
        interface OfAFamily {
            void go();
        }
        @ActivityInterface(name = "#a")
        interface Marked {
            void go();
        }
        assertClear(
                catchThrowable(() -> Dormouse.builder().activities(OfAFamily.class, () -> {})), ErrorCode.BAD_ARGUMENT);
        assertClear(
                catchThrowable(() -> Dormouse.builder().activities(Marked.class, () -> {})), ErrorCode.BAD_ARGUMENT);
    }

    @Test
    void twoWorkflowInterfacesOfOneNameOnANodeAreRefused() {
        simulate(sim -> {
            Throwable refused = catchThrowable(() -> sim.open(node ->
                    node.workflow(A.Order.class, () -> text -> "A").workflow(B.Order.class, () -> text -> "B")));
            assertClear(refused, ErrorCode.BAD_ARGUMENT);
            assertThat(refused)
                    .hasMessageContaining(A.Order.class.getName())
                    .hasMessageContaining(B.Order.class.getName())
                    .hasMessageContaining("@WorkflowMethod(name = ");
        });
    }

    @Test
    void stubOfAnotherWorkflowInterfaceOfThatNameIsRefused() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(A.Order.class, () -> text -> "A " + text));
            Throwable refused = catchThrowable(() -> dormouse.workflow(B.Order.class, "order"));
            assertClear(refused, ErrorCode.BAD_WORKFLOW_INTERFACE);
            assertThat(refused)
                    .hasMessageContaining(A.Order.class.getName())
                    .hasMessageContaining(B.Order.class.getName());
            Moved.OrderForClients declared = dormouse.workflow(Moved.OrderForClients.class, "order");
            assertThat(sim.result(dormouse.start(() -> declared.run("x")))).isEqualTo("A x");
        });
    }
}
