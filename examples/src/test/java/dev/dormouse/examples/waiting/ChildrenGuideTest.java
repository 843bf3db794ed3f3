package dev.dormouse.examples.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.ChildHandle;
import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.RetryPolicy;
import dev.dormouse.SignalMethod;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Children with options, and an update that starts its workflow. docs/waiting.md quotes this. */
class ChildrenGuideTest {

    @WorkflowInterface
    public interface Order {
        @WorkflowMethod
        String deliver(String order);
    }

    @WorkflowInterface
    public interface Shipping {
        @WorkflowMethod
        String ship(String order);

        @SignalMethod
        void hurry();
    }

    @WorkflowInterface
    public interface Survey {
        @WorkflowMethod
        void ask(String order);
    }

    public static final class OrderWorkflow implements Order {
        private static final ChildOptions RETRIED = ChildOptions.DEFAULT
                .withExecutionTimeout(Duration.ofDays(2))
                .withRetry(RetryPolicy.DEFAULT
                        .withInitialInterval(Duration.ofHours(1))
                        .withMaxAttempts(3));

        private static final ChildOptions IN_TWO_WEEKS = ChildOptions.detached().withStartDelay(Duration.ofDays(14));

        @Override
        public String deliver(String order) {
            Shipping shipping = Workflow.child(Shipping.class, "shipping-" + order, RETRIED);
            ChildHandle<String> parcel = Workflow.startChild(() -> shipping.ship(order));
            parcel.started().get(); // the child exists, or was refused
            shipping.hurry();
            String tracking = parcel.get(); // its result, after up to three attempts

            Survey survey = Workflow.child(Survey.class, "survey-" + order, IN_TWO_WEEKS);
            Workflow.startChild(() -> survey.ask(order)); // continues when this run has closed
            return tracking;
        }
    }

    /** Fails at the first attempt. */
    static final class ShippingWorkflow implements Shipping {
        private final List<String> attempts;
        private boolean inAHurry;

        ShippingWorkflow(List<String> attempts) {
            this.attempts = attempts;
        }

        @Override
        public String ship(String order) {
            int attempt = Workflow.step("pick up", Integer.class, () -> {
                attempts.add(order);
                return attempts.size();
            });
            Workflow.await(Duration.ofHours(3), () -> inAHurry);
            if (attempt == 1) {
                throw new IllegalStateException("The van has broken down.");
            }
            return "tracking-" + attempt;
        }

        @Override
        public void hurry() {
            inAHurry = true;
        }
    }

    @Test
    void childIsRetriedAndTheDetachedOneOutlivesItsParent() {
        List<String> attempts = new ArrayList<>();
        List<String> asked = new ArrayList<>();
        try (TestDormouse test = TestDormouse.open(node -> node.workflow(Order.class, OrderWorkflow::new)
                .workflow(Shipping.class, () -> new ShippingWorkflow(attempts))
                .workflow(Survey.class, () -> order -> Workflow.step("ask", () -> asked.add(order))))) {
            Dormouse dormouse = test.dormouse();
            assertThat(dormouse.workflow(Order.class, "order-1").deliver("1")).isEqualTo("tracking-2");
            assertThat(attempts).hasSize(2);
            WorkflowHandle<Object> survey = dormouse.handle("survey-1");
            test.advance(Duration.ofDays(13));
            assertThat(survey.describe().status()).isEqualTo(RunStatus.PENDING);
            test.advance(Duration.ofDays(2));
            assertThat(asked).containsExactly("1");
        }
    }

    @WorkflowInterface
    public interface Cart {
        @WorkflowMethod
        List<String> shop(String customer);

        @UpdateMethod
        int add(String item);

        @SignalMethod
        void checkOut();
    }

    static final class CartWorkflow implements Cart {
        private final List<String> items = new ArrayList<>();
        private boolean done;

        @Override
        public List<String> shop(String customer) {
            Workflow.await(() -> done);
            return items;
        }

        @Override
        public int add(String item) {
            items.add(item);
            return items.size();
        }

        @Override
        public void checkOut() {
            done = true;
        }
    }

    @Test
    void firstUpdateStartsTheWorkflow() {
        try (TestDormouse test = TestDormouse.open(node -> node.workflow(Cart.class, CartWorkflow::new))) {
            Dormouse dormouse = test.dormouse();
            Cart cart = dormouse.workflow(Cart.class, "cart-ada");
            int items = dormouse.updateWithStart(() -> cart.shop("ada"), () -> cart.add("book"));
            assertThat(items).isEqualTo(1);

            String requestId = "request-7";
            for (int i = 0; i < 2; i++) {
                int same = dormouse.updateWithStart(
                        requestId, Duration.ofSeconds(10), () -> cart.shop("ada"), () -> cart.add("pen"));
                assertThat(same).isEqualTo(2);
            }
            cart.checkOut();
            assertThat(cart.shop("ada")).containsExactly("book", "pen");
        }
    }
}
