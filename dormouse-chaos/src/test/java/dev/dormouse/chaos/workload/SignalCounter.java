package dev.dormouse.chaos.workload;

import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A workflow that counts signals while it repeatedly suspends, parks, times out, executes steps and closes. */
@WorkflowInterface
public interface SignalCounter {

    /**
     * Waits {@code waits} times for a short while and returns the numbers received meanwhile. With 0 it waits for
     * {@link #end} and returns how many signals it received, and how many of them were out of order.
     */
    @WorkflowMethod
    List<Integer> run(int waits);

    @SignalMethod
    void add(int sender, int number);

    @SignalMethod
    void end();

    @QueryMethod
    int seen();

    @QueryMethod
    int outOfOrder();

    /** The implementation. */
    final class Implementation implements SignalCounter {
        private final List<Integer> numbers = new ArrayList<>();
        private final Map<Integer, Integer> last = new HashMap<>();
        private int seen;
        private int outOfOrder;
        private boolean ended;

        @Override
        public List<Integer> run(int waits) {
            if (waits == 0) {
                Workflow.await(() -> ended);
                return List.of(seen, outOfOrder);
            }
            Random random = new Random(Workflow.info().workflowId().hashCode());
            for (int i = 0; i < waits; i++) {
                int enough = seen + random.nextInt(3);
                int millis = 1 + random.nextInt(random.nextInt(4) == 0 ? 400 : 30);
                Workflow.await(Duration.ofMillis(millis), () -> seen > enough);
                if (random.nextInt(5) == 0) {
                    Workflow.step("step", () -> {});
                }
            }
            return numbers;
        }

        @Override
        public void add(int sender, int number) {
            seen++;
            if (number != last.merge(sender, 1, Integer::sum) - 1) {
                outOfOrder++;
            }
            if (numbers.size() < 100_000) {
                numbers.add(number);
            }
        }

        @Override
        public void end() {
            ended = true;
        }

        @Override
        public int outOfOrder() {
            return outOfOrder;
        }

        @Override
        public int seen() {
            return seen;
        }
    }
}
