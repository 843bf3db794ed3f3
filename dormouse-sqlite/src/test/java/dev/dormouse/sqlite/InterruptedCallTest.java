package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An interrupt ends the wait for a result. The start that goes with it is finished all the same. */
@Timeout(60)
class InterruptedCallTest {
    /** Less than a lease, after which another node would take over the run. */
    private static final Duration PROMPTLY = Duration.ofSeconds(10);

    @TempDir
    Path directory;

    /** The step of an interrupted call ends after this, so that its result cannot come before the interrupt is noticed. */
    private final CountDownLatch callHasEnded = new CountDownLatch(1);

    private Dormouse dormouse;

    /** A workflow that is called. */
    @WorkflowInterface
    public interface Echo {
        @WorkflowMethod
        String echo(String text);
    }

    @BeforeEach
    void open() {
        dormouse = Dormouse.builder()
                .store("sqlite:" + directory.resolve("calls.db"))
                .workflow(Echo.class, () -> text -> Workflow.step("step", String.class, () -> execute(text)))
                .open();
    }

    private String execute(String text) throws InterruptedException {
        if (!text.equals("first")) {
            callHasEnded.await();
        }
        return text + "!";
    }

    @AfterEach
    void close() {
        dormouse.close();
    }

    private ErrorCode callInterrupted(IdReuse reuse, String text) {
        Echo echo = dormouse.workflow(Echo.class, "a", StartOptions.DEFAULT.withIdReuse(reuse));
        Thread.currentThread().interrupt();
        DormouseException told = catchThrowableOfType(DormouseException.class, () -> echo.echo(text));
        assertThat(Thread.interrupted()).isTrue();
        callHasEnded.countDown();
        return told.code();
    }

    private String result() {
        return dormouse.find("a", String.class).orElseThrow().result(PROMPTLY);
    }

    @Test
    void newRunIsExecutedThoughNoCallerWaitsForIt() {
        assertThat(callInterrupted(IdReuse.RETURN_CLOSED, "x")).isEqualTo(ErrorCode.RESULT_TIMEOUT);
        assertThat(result()).isEqualTo("x!");
    }

    @Test
    void runInThePlaceOfAnotherIsExecutedToo() {
        dormouse.workflow(Echo.class, "a").echo("first");
        assertThat(callInterrupted(IdReuse.START_NEW, "y")).isEqualTo(ErrorCode.RESULT_TIMEOUT);
        assertThat(result()).isEqualTo("y!");
    }

    @Test
    void takenIdIsReported() {
        dormouse.workflow(Echo.class, "a").echo("first");
        assertThat(callInterrupted(IdReuse.REJECT, "y")).isEqualTo(ErrorCode.WORKFLOW_ID_TAKEN);
    }
}
