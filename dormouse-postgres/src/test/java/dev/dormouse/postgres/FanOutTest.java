package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.ParentClosePolicy;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A run that asks for very many children at once. */
@Tag("long")
class FanOutTest {
    private static final int CHILDREN = 40_000;

    @Test
    void fortyThousandChildrenOfOneRunAreStarted() {
        try (Dormouse dormouse = Dormouse.builder()
                .store(TestPostgres.url())
                .schema(TestPostgres.newSchema())
                .workflow("fan", Integer.class, String.class, (ctx, count) -> {
                    for (int i = 0; i < count; i++) {
                        ctx.child(
                                "leaf",
                                "leaf-" + i,
                                ChildOptions.DEFAULT.withParentClosePolicy(ParentClosePolicy.ABANDON),
                                String.class,
                                i);
                    }
                    return "asked";
                })
                .workflow("leaf", Integer.class, String.class, (ctx, number) -> "leaf " + number)
                .open()) {
            assertThat(dormouse.start("fan", "fan", String.class, CHILDREN).result(Duration.ofMinutes(2)))
                    .isEqualTo("asked");
            await().atMost(Duration.ofMinutes(5))
                    .until(() -> dormouse.find("leaf-" + (CHILDREN - 1), String.class)
                            .isPresent());
        }
    }
}
