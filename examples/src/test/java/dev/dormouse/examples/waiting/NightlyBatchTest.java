package dev.dormouse.examples.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.ActivityInterface;
import dev.dormouse.QueryMethod;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInit;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowLock;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A batch with bounded parallelism, a lock, an init method and a typed continue-as-new. docs/waiting.md quotes this. */
class NightlyBatchTest {

    /** Charges all orders of a night, and begins again the next night. */
    @WorkflowInterface
    public interface NightlyBatch {
        @WorkflowMethod
        int run(int night, int orders);

        @UpdateMethod
        int addFee(int cents);

        @QueryMethod
        int nights();
    }

    @ActivityInterface
    public interface Bank {
        int charge(int order);
    }

    public static final class NightlyBatchWorkflow implements NightlyBatch {
        private final Bank bank = Workflow.activities(Bank.class);
        private final WorkflowLock lock = Workflow.newLock();
        private int night;
        private int total;

        @WorkflowInit
        void init(int night, int orders) {
            this.night = night;
        }

        @Override
        public int run(int night, int orders) {
            List<Integer> open = IntStream.range(0, orders).boxed().toList();
            List<Integer> charged = Workflow.parallel(open, 20, order -> bank.charge(order));
            total += charged.stream().mapToInt(Integer::intValue).sum();
            Workflow.sleep(Duration.ofDays(1));
            Workflow.awaitHandlers();
            if (night < 2) {
                return Workflow.continueAsNew(NightlyBatch.class).run(night + 1, orders);
            }
            return total;
        }

        @Override
        public int addFee(int cents) {
            lock.run(() -> {
                int fee = bank.charge(cents);
                total += fee;
            });
            return total;
        }

        @Override
        public int nights() {
            return night;
        }
    }

    @Test
    void ordersAreChargedTwentyAtATimeInEachOfTwoNights() {
        try (TestDormouse test = TestDormouse.open(builder ->
                builder.workflow(NightlyBatch.class, NightlyBatchWorkflow::new).activities(Bank.class, order -> 1))) {
            NightlyBatch batch = test.dormouse().workflow(NightlyBatch.class, "batch");
            WorkflowHandle<Integer> handle = test.dormouse().start(() -> batch.run(1, 3_000));
            assertThat(batch.nights()).isEqualTo(1);
            test.advance(Duration.ofHours(12));
            assertThat(batch.addFee(5)).isEqualTo(3_001);
            assertThat(handle.result()).isEqualTo(3_000);
            assertThat(batch.nights()).isEqualTo(2);
            assertThat(test.elapsed())
                    .isBetween(Duration.ofDays(2), Duration.ofDays(2).plusMinutes(1));
        }
    }
}
