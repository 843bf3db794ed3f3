package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Code that catches everything in a loop around a wait, on real threads. */
@Timeout(60)
class UnresponsiveCodeOnThreadsTest {

    @Test
    void costsAThreadAndIsGivenUpWithItsLine() {
        AtomicLong caught = new AtomicLong();
        Dormouse dormouse = Dormouse.builder()
                .store("sqlite::memory:")
                .workflow("deaf", String.class, String.class, (ctx, text) -> {
                    while (true) {
                        try {
                            ctx.sleep(Duration.ofHours(1));
                        } catch (Throwable swallowed) {
                            caught.incrementAndGet();
                        }
                    }
                })
                .workflow("echo", String.class, String.class, (ctx, text) -> ctx.step("echo", String.class, () -> text))
                .open();
        WorkflowHandle<String> deaf = dormouse.start("deaf", "deaf", String.class, "");
        while (deaf.describe().status() != RunStatus.WAITING || caught.get() <= 10_000) {
            Thread.onSpinWait();
        }
        deaf.signal("wake");
        while (deaf.describe().status() != RunStatus.STUCK) {
            Thread.onSpinWait();
        }
        assertThat(deaf.describe().trouble())
                .contains("[DM1031] Expected ")
                .contains("UnresponsiveCodeOnThreadsTest.java:");
        assertThat(caught.get()).isLessThan(20_100);
        assertThat(catchThrowableOfType(DormouseException.class, deaf::waits).code())
                .isEqualTo(ErrorCode.CODE_DOES_NOT_LEAVE);
        assertThat(dormouse.start("echo", "echo", String.class, "x").result()).isEqualTo("x");
        long closing = System.nanoTime();
        dormouse.close();
        assertThat(Duration.ofNanos(System.nanoTime() - closing)).isLessThan(Duration.ofSeconds(8));
    }
}
