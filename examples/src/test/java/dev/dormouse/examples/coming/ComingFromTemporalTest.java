package dev.dormouse.examples.coming;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.ActivityInterface;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.SignalMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.testing.TestDormouse;
import dev.dormouse.testing.TestOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code that docs/coming-from-temporal.md and docs/testing.md quote. */
class ComingFromTemporalTest {
    @TempDir
    Path directory;

    @WorkflowInterface
    public interface Delivery {
        @WorkflowMethod
        String deliver(String order);

        @SignalMethod
        void addressChanged(String address);
    }

    @ActivityInterface
    public interface Courier {
        String ship(String order, String address);
    }

    public static final class DeliveryWorkflow implements Delivery {
        private final Courier courier =
                Workflow.activities(Courier.class, ActivityOptions.DEFAULT.withAttemptTimeout(Duration.ofMinutes(5)));
        private String address = "";

        @Override
        public String deliver(String order) {
            Workflow.await(() -> !address.isEmpty());
            Workflow.sleep(Duration.ofDays(1));
            return courier.ship(order, address);
        }

        @Override
        public void addressChanged(String address) {
            this.address = address;
        }
    }

    private static String ship(String order, String address) {
        return order + " to " + address;
    }

    @Test
    void programStartsAndSignals() {
        String database = "sqlite:" + directory.resolve("delivery.db");
        Courier courierImpl = ComingFromTemporalTest::ship;
        try (Dormouse dormouse = Dormouse.builder()
                .store(database)
                .workflow(Delivery.class, DeliveryWorkflow::new)
                .activities(Courier.class, courierImpl)
                .open()) {
            Delivery delivery = dormouse.workflow(Delivery.class, "delivery-7");
            WorkflowHandle<String> handle = dormouse.start(() -> delivery.deliver("order-7"));
            delivery.addressChanged("Elm Street 1");
            assertThat(handle.describe().status().isClosed()).isFalse();
        }
    }

    @Test
    void deliveryTakesADay() {
        try (TestDormouse test = TestDormouse.open(builder -> builder.workflow(Delivery.class, DeliveryWorkflow::new)
                .activities(Courier.class, ComingFromTemporalTest::ship))) {
            Delivery delivery = test.dormouse().workflow(Delivery.class, "delivery-7");
            WorkflowHandle<String> handle = test.dormouse().start(() -> delivery.deliver("order-7"));
            delivery.addressChanged("Elm Street 1");
            assertThat(handle.result()).isEqualTo("order-7 to Elm Street 1");
            assertThat(test.elapsed()).isEqualTo(Duration.ofDays(1));
        }
    }

    @Test
    void activityBlocksUntilTheTestReleasesIt() throws Exception {
        BlockingQueue<String> arrived = new LinkedBlockingQueue<>();
        BlockingQueue<String> receipts = new LinkedBlockingQueue<>();
        Courier blocking = (order, address) -> {
            arrived.add(address);
            try {
                return receipts.take();
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
        };
        try (TestDormouse test = TestDormouse.open(
                TestOptions.DEFAULT.withBlockingActivities(),
                builder ->
                        builder.workflow(Delivery.class, DeliveryWorkflow::new).activities(Courier.class, blocking))) {
            Delivery delivery = test.dormouse().workflow(Delivery.class, "delivery-7");
            WorkflowHandle<String> handle = test.dormouse().start(() -> delivery.deliver("order-7"));
            delivery.addressChanged("Elm Street 1");
            test.advance(Duration.ofDays(1));

            assertThat(test.block(() -> arrived.take())).isEqualTo("Elm Street 1");
            delivery.addressChanged("Oak Street 2");
            receipts.add("receipt");
            assertThat(handle.result()).isEqualTo("receipt");
        }
    }
}
