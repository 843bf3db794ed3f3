package dev.dormouse.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DormouseExtensionTest {
    interface Shop {
        String order(String item);
    }

    private final List<String> ordered = new ArrayList<>();

    @RegisterExtension
    final DormouseExtension kit =
            DormouseExtension.of(builder -> builder.workflow("order", String.class, String.class, (ctx, item) -> {
                        ctx.sleep(Duration.ofDays(1));
                        return ctx.activities(Shop.class).order(item);
                    })
                    .activities(
                            Shop.class,
                            item -> { // a fake is an implementation like any other
                                ordered.add(item);
                                return "ordered " + item;
                            }));

    private TestDormouse seenBefore;

    @BeforeEach
    void seesTheSame(TestDormouse test, Dormouse dormouse, TestInfo info) {
        seenBefore = test;
        assertThat(test.dormouse()).isSameAs(dormouse);
        assertThat(info).isNotNull();
    }

    @AfterEach
    void stillOpen(TestDormouse test) {
        assertThat(test).isSameAs(seenBefore);
        test.advance(Duration.ofDays(2));
    }

    private static String order(Dormouse dormouse, String item) {
        WorkflowHandle<String> handle = dormouse.start("order", "o", String.class, item);
        return handle.result();
    }

    @RepeatedTest(3)
    void everyTestHasAFreshOne(TestDormouse test) {
        assertThat(test).isSameAs(seenBefore);
        assertThat(test.elapsed()).isZero();
        assertThat(test.dormouse().find("o", String.class)).isEmpty();
        assertThat(order(test.dormouse(), "book")).isEqualTo("ordered book");
        assertThat(ordered).containsExactly("book");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pen", "paper"})
    void besideOtherParameters(String item, Dormouse dormouse) {
        assertThat(order(dormouse, item)).isEqualTo("ordered " + item);
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
    void testMayRunOnAnotherThread(TestDormouse test) {
        assertThat(order(test.dormouse(), "book")).isEqualTo("ordered book");
    }

    @Nested
    class Within {
        @Test
        void nestedTestsHaveItToo(Dormouse dormouse) {
            assertThat(order(dormouse, "book")).isEqualTo("ordered book");
        }
    }
}
