package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** No other node can use a SQLite file, so that a child of a type that is not registered would never run. */
class UnknownChildTest {

    @Test
    void childOfATypeThatIsNotRegisteredIsRefused() {
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite::memory:")
                .workflow(
                        "parent",
                        String.class,
                        String.class,
                        (ctx, text) -> ctx.child("misspelled", "kid", ChildOptions.DEFAULT, String.class, text)
                                .get())
                .open()) {
            WorkflowHandle<String> parent = dormouse.start("parent", "p", String.class, "x");
            Instant end = Instant.now().plusSeconds(20);
            while (parent.describe().status() != RunStatus.STUCK
                    && Instant.now().isBefore(end)) {
                LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            }
            assertThat(parent.describe().trouble()).contains("[DM").contains("'misspelled'");
            assertThat(dormouse.find("kid", String.class)).isEmpty();
        }
    }
}
