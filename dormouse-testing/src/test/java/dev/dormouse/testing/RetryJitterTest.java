package dev.dormouse.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Delays of retries in tests of users. */
class RetryJitterTest {
    private static Duration threeRetries(TestOptions options) {
        try (TestDormouse test = TestDormouse.open(
                options,
                builder -> builder.workflow(
                        "w",
                        String.class,
                        String.class,
                        (ctx, input) -> ctx.step("shaky", String.class, () -> {
                            if (Activity.info().attempt() <= 3) {
                                throw new IllegalStateException("down");
                            }
                            return "up";
                        })))) {
            assertThat(test.dormouse().start("w", "w", String.class, "").result())
                    .isEqualTo("up");
            return test.elapsed();
        }
    }

    @Test
    void retriesBeginExactlyAfterTheirDelays() {
        assertThat(threeRetries(TestOptions.DEFAULT)).isEqualTo(Duration.ofSeconds(7));
        assertThat(threeRetries(TestOptions.DEFAULT.withSeed(2))).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void retriesHaveJitterIfTheTestAsksForIt() {
        TestOptions options = TestOptions.DEFAULT.withRetryJitter(true);
        Duration first = threeRetries(options);
        assertThat(first).isBetween(Duration.ofMillis(5_600), Duration.ofMillis(8_400));
        assertThat(threeRetries(options)).isEqualTo(first);
        assertThat(threeRetries(options.withSeed(2))).isNotEqualTo(first);
    }
}
