package dev.dormouse.observability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.Dormouse;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The number of time series does not grow with the names that users choose. */
@Timeout(60)
class SeriesTest {
    private static final int STEPS = 150;

    private final MeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void stepNamesThatDifferInEveryRunShareOneSeries() {
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite::memory:")
                .plugin(MicrometerMetrics.of(registry))
                .workflow("mailing", Integer.class, String.class, (ctx, number) -> {
                    for (int i = 0; i < number; i++) {
                        ctx.step("mail to customer " + i, () -> {});
                    }
                    return "sent";
                })
                .open()) {
            dormouse.start("mailing", "m-1", String.class, STEPS).result(Duration.ofSeconds(40));
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(
                                    steps().stream().mapToLong(Timer::count).sum())
                            .isEqualTo(STEPS));
        }
        assertThat(steps()).hasSize(BoundedTags.MOST_STEPS + 1);
        assertThat(registry.get("dormouse.steps")
                        .tag("type", "mailing")
                        .tag("step", "other")
                        .timer()
                        .count())
                .isEqualTo(STEPS - BoundedTags.MOST_STEPS);
    }

    @Test
    void valuesBeyondTheBoundAreOneValue() {
        BoundedTags tags = new BoundedTags();
        for (int i = 0; i < BoundedTags.MOST_TYPES; i++) {
            assertThat(tags.type("type " + i)).isEqualTo("type " + i);
        }
        assertThat(tags.type("one more")).isEqualTo("other");
        assertThat(tags.type("type 7")).isEqualTo("type 7");
        for (int i = 0; i < BoundedTags.MOST_STEPS; i++) {
            assertThat(tags.step("type 7", "step " + i)).isEqualTo("step " + i);
        }
        assertThat(tags.step("type 7", "one more")).isEqualTo("other");
        assertThat(tags.step("type 7", "step 3")).isEqualTo("step 3");
        assertThat(tags.step("type 8", "one more")).isEqualTo("one more");
    }

    private Collection<Timer> steps() {
        return registry.find("dormouse.steps").timers();
    }
}
