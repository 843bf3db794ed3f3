package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.RetryPolicy;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.WorkflowFailedException;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Retries and resets on a real file, in a process of their own after the failure. */
@Timeout(60)
class ResetOnFileTest {
    @TempDir
    Path directory;

    private final List<String> log = new CopyOnWriteArrayList<>();

    private Dormouse open(boolean isMended) {
        return Dormouse.builder()
                .store("sqlite:" + directory.resolve("reset.db"))
                .activityOptions(ActivityOptions.DEFAULT.withRetry(RetryPolicy.NONE))
                .workflow("w", String.class, String.class, (ctx, input) -> {
                    UUID id = ctx.randomUuid();
                    String name = ctx.waitForSignal(Duration.ofMinutes(1))
                            .orElseThrow()
                            .name();
                    ctx.step("a", () -> log.add("a"));
                    ctx.step("b", () -> {
                        if (!isMended) {
                            throw new IllegalStateException("broken");
                        }
                        log.add("b");
                    });
                    return name
                            + ctx.waitForSignal(Duration.ofMinutes(1))
                                    .orElseThrow()
                                    .name()
                            + id;
                })
                .open();
    }

    @Test
    void failedRunIsFoundRetriedAndResetWithItsMail() {
        try (Dormouse dormouse = open(false)) {
            WorkflowHandle<String> handle = dormouse.start("w", "w", String.class, "");
            handle.signal("one");
            handle.signal("two");
            assertThat(catchThrowable(handle::result)).isInstanceOf(WorkflowFailedException.class);
        }
        try (Dormouse dormouse = open(true)) {
            assertThat(dormouse.list(ListOptions.ALL.withStatuses(RunStatus.FAILED))
                            .runs())
                    .hasSize(1);
            WorkflowHandle<String> retried =
                    dormouse.find("w", String.class).orElseThrow().retry();
            String result = retried.result();
            assertThat(result).startsWith("onetwo");
            assertThat(log).containsExactly("a", "b");
            for (int events = retried.history().size() - 1; events > 0; events--) {
                retried = retried.reset(events);
                assertThat(retried.result()).as("%s events", events).isEqualTo(result);
            }
        }
    }
}
