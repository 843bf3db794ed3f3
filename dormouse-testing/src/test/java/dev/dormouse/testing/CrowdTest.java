package dev.dormouse.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.WorkflowHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many concurrent runs in one test. */
@Timeout(120)
class CrowdTest {
    @Test
    void thousandsOfRunsSleepForDays() {
        int runs = Integer.getInteger("crowd", 2_000);
        try (TestDormouse test = TestDormouse.open(
                TestOptions.DEFAULT.withTimeout(Duration.ofMinutes(2)),
                builder -> builder.workflow("nap", Integer.class, Integer.class, (ctx, number) -> {
                    ctx.sleep(Duration.ofMinutes(number));
                    return ctx.step("add", Integer.class, () -> number + 1);
                }))) {
            List<WorkflowHandle<Integer>> handles = new ArrayList<>();
            for (int i = runs; i > 0; i--) {
                handles.add(test.dormouse().start("nap", "nap-" + i, Integer.class, i));
            }
            for (WorkflowHandle<Integer> handle : handles) {
                assertThat(handle.result()).isPositive();
            }
            assertThat(test.elapsed()).isEqualTo(Duration.ofMinutes(runs));
        }
    }
}
