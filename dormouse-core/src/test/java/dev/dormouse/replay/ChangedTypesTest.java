package dev.dormouse.replay;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.QueueOptions;
import dev.dormouse.SignalMethod;
import dev.dormouse.StartOptions;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Deployments that change the types of inputs, signals and results, which fail no run and lose no message. */
class ChangedTypesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int RUNS = 20;

    record Order(String item) {}

    /** The order of the next build: a primitive field was added. */
    record PricedOrder(String item, int price) {}

    @WorkflowInterface
    interface Ordering {
        @WorkflowMethod(name = "order")
        String order(Order order);

        @SignalMethod
        void confirm(Order by);

        @UpdateMethod
        String change(Order to);
    }

    /** The workflow of the next build, whose input, signal and update have another type. */
    @WorkflowInterface
    interface PricedOrdering {
        @WorkflowMethod(name = "order")
        String order(PricedOrder order);

        @SignalMethod
        void confirm(PricedOrder by);

        @UpdateMethod
        String change(PricedOrder to);
    }

    /** The workflow of the next build, whose method has another parameter. */
    @WorkflowInterface
    interface OrderingForCustomer {
        @WorkflowMethod(name = "order")
        String order(Order order, String customer);

        @SignalMethod
        void confirm(Order by);
    }

    static class Old implements Ordering {
        private String confirmed = "";

        @Override
        public String order(Order order) {
            Workflow.await(() -> !confirmed.isEmpty());
            return order.item() + confirmed;
        }

        @Override
        public void confirm(Order by) {
            confirmed += " confirmed by " + by.item();
        }

        @Override
        public String change(Order to) {
            return "changed to " + to.item();
        }
    }

    static class Priced implements PricedOrdering {
        private String confirmed = "";

        @Override
        public String order(PricedOrder order) {
            Workflow.await(() -> !confirmed.isEmpty());
            return order + confirmed;
        }

        @Override
        public void confirm(PricedOrder by) {
            confirmed += " confirmed by " + by;
        }

        @Override
        public String change(PricedOrder to) {
            return "changed to " + to;
        }
    }

    static class ForCustomer implements OrderingForCustomer {
        private boolean confirmed;

        @Override
        public String order(Order order, String customer) {
            Workflow.await(() -> confirmed);
            return order + customer;
        }

        @Override
        public void confirm(Order by) {
            confirmed = true;
        }
    }

    private static DormouseBuilder old(DormouseBuilder node) {
        return node.buildId("old").workflow(Ordering.class, Old::new);
    }

    private static DormouseBuilder priced(DormouseBuilder node) {
        return node.buildId("new").workflow(PricedOrdering.class, Priced::new);
    }

    private static WorkflowHandle<String> start(Dormouse dormouse, String id) {
        return dormouse.start("order", id, String.class, new Order("tea"));
    }

    private static void allEndBesideANodeOfTheOldBuild(UnaryOperator<DormouseBuilder> changed) {
        simulate(sim -> {
            Dormouse old = sim.open(ChangedTypesTest::old);
            for (int i = 0; i < RUNS; i++) {
                start(old, "o" + i);
            }
            sim.advance(MINUTE);
            sim.open(changed);
            sim.advance(MINUTE);
            Dormouse client = sim.open(node -> node.remoteWorkflow(Ordering.class));
            for (int i = 0; i < RUNS; i++) {
                client.workflow(Ordering.class, "o" + i).confirm(new Order("ada"));
            }
            for (int i = 0; i < RUNS; i++) {
                WorkflowHandle<String> handle =
                        client.find("o" + i, String.class).orElseThrow();
                assertThat(sim.result(handle)).isEqualTo("tea confirmed by ada");
            }
            assertThat(sim.elapsed()).isLessThan(MINUTE.multipliedBy(4));
        });
    }

    @Test
    void waitingRunsEndAfterAPrimitiveFieldWasAddedToTheirInput() {
        allEndBesideANodeOfTheOldBuild(ChangedTypesTest::priced);
    }

    @Test
    void waitingRunsEndAfterAParameterWasAddedToTheirMethod() {
        allEndBesideANodeOfTheOldBuild(
                node -> node.buildId("new").workflow(OrderingForCustomer.class, ForCustomer::new));
    }

    @Test
    void runWhoseInputNoLiveBuildCanReadIsStuckWithTheReasonAndContinuesWithCodeThatCan() {
        simulate(sim -> {
            Dormouse old = sim.open(ChangedTypesTest::old);
            start(old, "o");
            sim.advance(MINUTE);
            old.close();
            Dormouse changed = sim.open(ChangedTypesTest::priced);
            WorkflowHandle<String> handle = changed.find("o", String.class).orElseThrow();
            Dormouse client = sim.open(node -> node.remoteWorkflow(Ordering.class));
            client.workflow(Ordering.class, "o").confirm(new Order("ada"));
            sim.awaitStatus(handle, RunStatus.STUCK);
            String trouble = handle.describe().trouble();
            assertClear(trouble, ErrorCode.CODE_DOES_NOT_MATCH);
            assertThat(trouble).contains("input of workflow type 'order'").contains(PricedOrder.class.getName());
            Dormouse right = sim.open(ChangedTypesTest::old);
            assertThat(sim.result(right.find("o", String.class).orElseThrow())).isEqualTo("tea confirmed by ada");
        });
    }

    @Test
    void inputThatNoCodeCanReadParksTheRunFromTheStartAndItCanBeTerminated() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(ChangedTypesTest::old);
            Dormouse client = sim.open(node -> node.remoteWorkflow(Ordering.class));
            WorkflowHandle<String> handle = client.start("order", "o", String.class, 17);
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertClear(handle.describe().trouble(), ErrorCode.CODE_DOES_NOT_MATCH);
            assertThat(handle.terminate("a mistake")).isTrue();
            assertThat(dormouse.find("o", String.class).orElseThrow().describe().status())
                    .isEqualTo(RunStatus.TERMINATED);
            Throwable refused = catchThrowable(() -> dormouse.start("order", "p", String.class, 17));
            assertClear(refused, ErrorCode.PAYLOAD_DOES_NOT_FIT);
            assertThat(dormouse.find("p", String.class)).isEmpty();
        });
    }

    /** A workflow without an input of its own type, so that only its messages differ. */
    private static WorkflowFunction<String, String> waits(Class<?> type) {
        return (ctx, input) -> ctx.waitForSignal("confirm", HOUR.multipliedBy(90))
                        .orElseThrow()
                        .value(type) + "";
    }

    private static DormouseBuilder waiting(DormouseBuilder node, String build, Class<?> type) {
        return node.buildId(build).workflow("w", String.class, String.class, waits(type));
    }

    @Test
    void signalThatAWaitCannotReadIsKeptForCodeThatCan() {
        simulate(sim -> {
            Dormouse changed = sim.open(node -> waiting(node, "new", PricedOrder.class));
            WorkflowHandle<String> handle = changed.start("w", "w", String.class, "");
            handle.signal("confirm", new Order("ada"));
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertClear(handle.describe().trouble(), ErrorCode.CODE_DOES_NOT_MATCH);
            assertThat(handle.describe().trouble()).contains("signal 'confirm'").contains(PricedOrder.class.getName());
            Dormouse old = sim.open(node -> waiting(node, "old", Order.class));
            assertThat(sim.result(old.find("w", String.class).orElseThrow())).isEqualTo("Order[item=ada]");
        });
    }

    @WorkflowInterface
    interface Listening {
        @WorkflowMethod(name = "listen")
        String listen();

        @SignalMethod
        void confirm(Order by);

        @UpdateMethod
        String change(Order to);
    }

    @WorkflowInterface
    interface PricedListening {
        @WorkflowMethod(name = "listen")
        String listen();

        @SignalMethod
        void confirm(PricedOrder by);

        @UpdateMethod
        String change(PricedOrder to);
    }

    static class OldListener implements Listening {
        private String confirmed = "";

        @Override
        public String listen() {
            Workflow.await(() -> !confirmed.isEmpty());
            return confirmed;
        }

        @Override
        public void confirm(Order by) {
            confirmed = by.item();
        }

        @Override
        public String change(Order to) {
            return "changed to " + to.item();
        }
    }

    static class PricedListener implements PricedListening {
        private String confirmed = "";

        @Override
        public String listen() {
            Workflow.await(() -> !confirmed.isEmpty());
            return confirmed;
        }

        @Override
        public void confirm(PricedOrder by) {
            confirmed = by.item() + by.price();
        }

        @Override
        public String change(PricedOrder to) {
            return "changed to " + to;
        }
    }

    private static Dormouse oldListener(SimulatedDormouse sim) {
        return sim.open(node -> node.buildId("old").workflow(Listening.class, OldListener::new));
    }

    private static Dormouse pricedListener(SimulatedDormouse sim) {
        return sim.open(node -> node.buildId("new").workflow(PricedListening.class, PricedListener::new));
    }

    @Test
    void signalThatAHandlerCannotReadIsHandledByAnotherBuild() {
        simulate(sim -> {
            pricedListener(sim);
            oldListener(sim);
            Dormouse client = sim.open(node -> node.remoteWorkflow(Listening.class));
            for (int i = 0; i < RUNS; i++) {
                client.start("listen", "l" + i, String.class);
                client.workflow(Listening.class, "l" + i).confirm(new Order("ada" + i));
            }
            for (int i = 0; i < RUNS; i++) {
                assertThat(sim.result(client.find("l" + i, String.class).orElseThrow()))
                        .isEqualTo("ada" + i);
            }
            assertThat(sim.elapsed()).isLessThan(MINUTE);
        });
    }

    @Test
    void signalThatNoHandlerCanReadStaysUntilOneCan() {
        simulate(sim -> {
            Dormouse changed = pricedListener(sim);
            WorkflowHandle<String> handle =
                    changed.start("listen", "l", StartOptions.DEFAULT.withExecutionTimeout(HOUR), String.class);
            Dormouse client = sim.open(node -> node.remoteWorkflow(Listening.class));
            client.workflow(Listening.class, "l").confirm(new Order("ada"));
            sim.awaitStatus(handle, RunStatus.STUCK);
            String trouble = handle.describe().trouble();
            assertClear(trouble, ErrorCode.CODE_DOES_NOT_MATCH);
            assertThat(trouble).contains("signal 'confirm'").contains(PricedOrder.class.getName());
            sim.advance(HOUR.multipliedBy(3));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.STUCK);
            Dormouse right = oldListener(sim);
            assertThat(sim.result(right.find("l", String.class).orElseThrow())).isEqualTo("ada");
        });
    }

    @Test
    void runWithASignalThatNoHandlerCanReadCanBeTerminated() {
        simulate(sim -> {
            Dormouse changed = pricedListener(sim);
            WorkflowHandle<String> handle = changed.start("listen", "l", String.class);
            Dormouse client = sim.open(node -> node.remoteWorkflow(Listening.class));
            client.workflow(Listening.class, "l").confirm(new Order("ada"));
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertThat(handle.terminate("given up")).isTrue();
            assertClear(sim.failure(handle), ErrorCode.RUN_TERMINATED);
        });
    }

    @Test
    void updateThatCannotBeReadFailsForItsSenderAndTheRunContinues() {
        simulate(sim -> {
            Dormouse changed = pricedListener(sim);
            WorkflowHandle<String> handle = changed.start("listen", "l", String.class);
            Dormouse client = sim.open(node -> node.remoteWorkflow(Listening.class));
            Throwable told =
                    catchThrowable(() -> client.workflow(Listening.class, "l").change(new Order("ada")));
            assertClear(told, ErrorCode.UPDATE_FAILED);
            handle.signal("confirm", new PricedOrder("bob", 3));
            assertThat(sim.result(handle)).isEqualTo("bob3");
        });
    }

    @Test
    void updateThatAnotherBuildHasAnsweredIsNotReplayedAsAFailure() {
        simulate(sim -> {
            Dormouse old = oldListener(sim);
            old.start("listen", "l", String.class);
            assertThat(old.workflow(Listening.class, "l").change(new Order("ada")))
                    .isEqualTo("changed to ada");
            sim.advance(MINUTE);
            old.close();
            Dormouse changed = pricedListener(sim);
            WorkflowHandle<String> handle = changed.find("l", String.class).orElseThrow();
            handle.signal("confirm", new PricedOrder("bob", 3));
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertThat(handle.describe().trouble()).contains("update 'change'");
            Dormouse right = oldListener(sim);
            assertThat(sim.result(right.find("l", String.class).orElseThrow())).isEqualTo("bob");
        });
    }

    private static DormouseBuilder parent(DormouseBuilder node, String build, Class<?> result) {
        return node.buildId(build)
                .workflow(
                        "parent",
                        String.class,
                        String.class,
                        (ctx, input) -> ""
                                + ctx.child("child", "c", ChildOptions.DEFAULT, result, "")
                                        .get())
                .workflow("child", String.class, Order.class, (ctx, input) -> {
                    ctx.sleep(MINUTE);
                    return new Order("tea");
                });
    }

    @Test
    void childResultThatCannotBeReadIsReadByAnotherBuild() {
        simulate(sim -> {
            Dormouse changed = sim.open(node -> parent(node, "new", PricedOrder.class));
            WorkflowHandle<String> handle = changed.start("parent", "p", String.class, "");
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertClear(handle.describe().trouble(), ErrorCode.CODE_DOES_NOT_MATCH);
            assertThat(handle.describe().trouble()).contains("child 'c'");
            Dormouse old = sim.open(node -> parent(node, "old", Order.class));
            assertThat(sim.result(old.find("p", String.class).orElseThrow())).isEqualTo("Order[item=tea]");
        });
    }

    private static DormouseBuilder worker(SimulatedDormouse sim, DormouseBuilder node, String build, Class<?> type) {
        return node.buildId(build).activity("pack", type, String.class, order -> {
            sim.log("packed by " + build);
            return "packed " + order;
        });
    }

    private static void packed(ActivityOptions options, UnaryOperator<DormouseBuilder> serving) {
        simulate(sim -> {
            Dormouse caller = sim.open(node -> node.buildId("caller")
                    .workflow(
                            "w",
                            String.class,
                            String.class,
                            (ctx, input) -> ctx.activity("pack", "pack", options, String.class, new Order("tea"))));
            sim.open(node -> serving.apply(worker(sim, node, "new", PricedOrder.class)));
            sim.advance(SECOND);
            WorkflowHandle<String> stuck = caller.start("w", "w", String.class, "");
            sim.advance(MINUTE);
            sim.open(node -> serving.apply(worker(sim, node, "old", Order.class)));
            assertThat(sim.result(stuck)).isEqualTo("packed Order[item=tea]");
            WorkflowHandle<String> handedOver = caller.start("w", "v", String.class, "");
            assertThat(sim.result(handedOver)).isEqualTo("packed Order[item=tea]");
            assertThat(sim.log()).containsExactly("packed by old", "packed by old");
        });
    }

    @Test
    void activityElsewhereWhoseArgumentsABuildCannotReadIsExecutedByAnother() {
        packed(ActivityOptions.DEFAULT, node -> node);
    }

    @Test
    void activityInAQueueWhoseArgumentsABuildCannotReadIsExecutedByAnother() {
        packed(ActivityOptions.DEFAULT.withQueue("q"), node -> node.queue("q", QueueOptions.DEFAULT));
    }

    @Test
    void timerWhosePayloadABuildCannotReadFiresOnAnother() {
        simulate(sim -> {
            Dormouse changed = sim.open(node -> node.buildId("new"));
            changed.timers().handle("ring", PricedOrder.class, order -> sim.log("never"));
            Dormouse old = sim.open(node -> node.buildId("old"));
            old.timers().handle("ring", Order.class, order -> sim.log("rang " + order));
            for (int i = 0; i < RUNS; i++) {
                old.timers().after(MINUTE, "ring", new Order("" + i));
            }
            sim.await("all timers", () -> sim.log().size() == RUNS);
            assertThat(sim.log()).doesNotContain("never");
        });
    }

    @Test
    void resultByTokenThatCannotBeReadIsReadByAnotherBuild() {
        simulate(sim -> {
            Dormouse changed = sim.open(node -> handsOut(sim, node, "new", PricedOrder.class));
            WorkflowHandle<String> handle = changed.start("w", "w", String.class, "");
            sim.await("a token", () -> !sim.log().isEmpty());
            changed.completeActivity(sim.log().get(0), new Order("tea"));
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertThat(handle.describe().trouble()).contains("step 's'");
            Dormouse old = sim.open(node -> handsOut(sim, node, "old", Order.class));
            assertThat(sim.result(old.find("w", String.class).orElseThrow())).isEqualTo("Order[item=tea]");
            assertThat(List.copyOf(sim.log())).hasSize(1);
        });
    }

    private static DormouseBuilder handsOut(SimulatedDormouse sim, DormouseBuilder node, String build, Class<?> type) {
        return node.buildId(build)
                .workflow(
                        "w",
                        String.class,
                        String.class,
                        (ctx, input) -> ""
                                + ctx.step("s", type, () -> {
                                    sim.log(Activity.completeLater());
                                    return null;
                                }));
    }
}
