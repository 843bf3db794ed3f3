package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.ChildHandle;
import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.RetryPolicy;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Children with options, and updates that start their workflow, on SQLite. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChildOptionsAndUpdatesTest {
    private static final ChildOptions OPTIONS = ChildOptions.detached()
            .withStartDelay(Duration.ofMillis(50))
            .withExecutionTimeout(Duration.ofMinutes(1))
            .withMemo("why", "test")
            .withRetry(RetryPolicy.DEFAULT.withInitialInterval(Duration.ofMillis(50)));

    private final AtomicInteger attempts = new AtomicInteger();

    @WorkflowInterface
    public interface Counter {
        @WorkflowMethod
        int count(int from);

        @UpdateMethod
        int add(int number);
    }

    public static final class CounterWorkflow implements Counter {
        private int total;

        @Override
        public int count(int from) {
            Workflow.await(() -> total > 10);
            return total;
        }

        @Override
        public int add(int number) {
            return total += number;
        }
    }

    private DormouseBuilder register(DormouseBuilder node) {
        return node.workflow(Counter.class, CounterWorkflow::new)
                .workflow("parent", String.class, String.class, (ctx, input) -> {
                    ChildHandle<String> child = ctx.startChild("child", "c", OPTIONS, String.class, input);
                    return child.started().get() + " " + child.get();
                })
                .workflow("child", String.class, String.class, (ctx, input) -> {
                    int attempt = ctx.step("count", Integer.class, attempts::incrementAndGet);
                    if (attempt < 3) {
                        throw new IllegalStateException("attempt " + attempt);
                    }
                    return input + " " + attempt;
                });
    }

    @Test
    void childIsDelayedAndRetriedAndItsStartIsReported() {
        try (Dormouse dormouse =
                register(Dormouse.builder().store("sqlite::memory:")).open()) {
            String result =
                    dormouse.start("parent", "p", String.class, "attempt").result();
            assertThat(result).endsWith(" attempt 3");
            assertThat(dormouse.handle("c").describe().memo()).containsEntry("why", "test");
        }
    }

    @Test
    void updateStartsTheRunOnceAndFindsItLater() {
        try (Dormouse dormouse =
                register(Dormouse.builder().store("sqlite::memory:")).open()) {
            for (int i = 0; i < 2; i++) {
                int first = add(dormouse, "one", 4);
                assertThat(first).isEqualTo(4);
            }
            assertThat(add(dormouse, "two", 3)).isEqualTo(7);
            assertThat(add(dormouse, "three", 5)).isEqualTo(12);
            assertThat(dormouse.workflow(Counter.class, "counter").count(0)).isEqualTo(12);
            assertThat(add(dormouse, "one", 4)).isEqualTo(4);
            assertThat(add(dormouse, "three", 5)).isEqualTo(12);
        }
    }

    private static int add(Dormouse dormouse, String id, int number) {
        Counter counter = dormouse.workflow(Counter.class, "counter");
        return dormouse.updateWithStart(id, Duration.ofSeconds(20), () -> counter.count(0), () -> counter.add(number));
    }
}
