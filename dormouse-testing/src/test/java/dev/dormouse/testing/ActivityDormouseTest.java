package dev.dormouse.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import org.junit.jupiter.api.Test;

/** {@code Activity.dormouse()} in tests of users. */
class ActivityDormouseTest {
    @Test
    void activityStartsAWorkflowOnTheNodeOfTheTest() {
        try (TestDormouse test = TestDormouse.open(builder -> builder.workflow(
                        "other", String.class, String.class, (ctx, input) -> "other " + input)
                .workflow(
                        "w",
                        String.class,
                        String.class,
                        (ctx, input) -> ctx.step(
                                "start",
                                String.class,
                                () -> Activity.dormouse()
                                        .start("other", "other", String.class, input)
                                        .result())))) {
            assertThat(test.dormouse().start("w", "w", String.class, "x").result())
                    .isEqualTo("other x");
            assertThat(test.restart().find("other", String.class).orElseThrow().result())
                    .isEqualTo("other x");
        }
    }
}
