package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Errors that callers of Dormouse see when its file is deleted. */
@Timeout(60)
class FileReplacedUnderDormouseTest {
    @TempDir
    Path directory;

    @Test
    void everyCallerSeesTheErrorAndCloseReturns() throws Exception {
        Path file = directory.resolve("trial.db");
        long began;
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite:" + file)
                .workflow(
                        "w",
                        String.class,
                        String.class,
                        (ctx, input) -> ctx.waitForSignal(Duration.ofMinutes(1))
                                .orElseThrow()
                                .name())
                .open()) {
            WorkflowHandle<String> waiting = dormouse.start("w", "waiting", String.class, "");
            Files.delete(file);
            for (int i = 0; i < 5; i++) {
                String id = "after " + i;
                assertReplaced(() -> dormouse.start("w", id, String.class, ""));
            }
            assertReplaced(() -> waiting.signal("go"));
            began = System.nanoTime();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));
        assertThat(file).doesNotExist();
    }

    private static void assertReplaced(Runnable call) {
        long began = System.nanoTime();
        DormouseException problem = catchThrowableOfType(DormouseException.class, call::run);
        assertThat(problem).isNotNull();
        assertThat(problem.code()).as(problem.getMessage()).isEqualTo(ErrorCode.STORE_FILE_REPLACED);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    }
}
