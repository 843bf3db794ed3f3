package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.StoreOutage;
import dev.dormouse.inspect.StoreTrouble;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Errors that callers of Dormouse see when its file is deleted. */
@Timeout(60)
class FileReplacedUnderDormouseTest {
    @TempDir
    Path directory;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger().addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger().detachAppender(log);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger("dev.dormouse");
    }

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
            assertThat(dormouse.outages()).extracting(StoreOutage::trouble).containsExactly(StoreTrouble.REPLACED);
            assertThat(log.list)
                    .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .singleElement()
                    .asString()
                    .contains("to stay in its place while it is open, but", "was deleted or renamed");
            began = System.nanoTime();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(6)); // of 10 s grace
        assertThat(file).doesNotExist();
    }

    @Test
    void stepThatRunsIsGivenItsTimeWhenDormouseCloses() throws Exception {
        Path file = directory.resolve("trial.db");
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean hasEnded = new AtomicBoolean();
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite:" + file)
                .workflow(
                        "w",
                        String.class,
                        String.class,
                        (ctx, input) -> ctx.step("slow", String.class, () -> {
                            begun.countDown();
                            new CountDownLatch(1).await(1, TimeUnit.SECONDS);
                            hasEnded.set(true);
                            return "done";
                        }))
                .open()) {
            dormouse.start("w", "running", String.class, "");
            begun.await();
            Files.delete(file);
            assertReplaced(() -> dormouse.start("w", "after", String.class, ""));
        }
        assertThat(hasEnded).isTrue();
    }

    private static void assertReplaced(Runnable call) {
        long began = System.nanoTime();
        DormouseException problem = catchThrowableOfType(DormouseException.class, call::run);
        assertThat(problem).isNotNull();
        assertThat(problem.code()).as(problem.getMessage()).isEqualTo(ErrorCode.STORE_FILE_REPLACED);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    }
}
