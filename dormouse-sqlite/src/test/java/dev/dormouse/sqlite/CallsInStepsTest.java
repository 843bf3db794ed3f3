package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls of Dormouse in steps, on real threads and with default settings. */
@Timeout(120)
class CallsInStepsTest {
    private static final int MORE_THAN_EXECUTE = 1_200;

    @TempDir
    private Path folder;

    private final AtomicReference<Dormouse> self = new AtomicReference<>();
    private final List<Throwable> problems = new ArrayList<>();

    @BeforeEach
    void open() {
        self.set(Dormouse.builder()
                .store("sqlite:" + folder.resolve("calls.db"))
                .workflow(
                        "child", String.class, String.class, (ctx, text) -> ctx.step("echo", String.class, () -> text))
                .workflow(
                        "parent",
                        String.class,
                        String.class,
                        (ctx, id) -> ctx.step(
                                "wait",
                                String.class,
                                () -> self.get()
                                        .start("child", id, String.class, id)
                                        .result()))
                .workflow("transaction", String.class, String.class, (ctx, id) -> {
                    ctx.transaction("calls", connection -> {
                        Dormouse here = self.get();
                        problems.add(catchThrowable(() -> here.start("child", "refused", String.class, "")));
                        problems.add(catchThrowable(() -> here.publish("event", "x")));
                        problems.add(catchThrowable(() -> here.timers().after(Duration.ZERO, "h", "x")));
                        problems.add(catchThrowable(() ->
                                here.find("other", String.class).orElseThrow().result()));
                        here.within(connection).start("child", "allowed", String.class, id);
                    });
                    return "done";
                })
                .open());
    }

    @AfterEach
    void close() {
        self.get().close();
    }

    @Test
    void moreRunsThanExecuteAtATimeWaitForOthersInTheirSteps() {
        List<WorkflowHandle<String>> parents = new ArrayList<>();
        for (int i = 0; i < MORE_THAN_EXECUTE; i++) {
            parents.add(self.get().start("parent", "parent-" + i, String.class, "child-" + i));
        }
        for (int i = 0; i < MORE_THAN_EXECUTE; i++) {
            assertThat(parents.get(i).result(Duration.ofMinutes(1))).isEqualTo("child-" + i);
        }
    }

    @Test
    void transactionStepMayCallOnlyItsOwnTransaction() {
        Dormouse dormouse = self.get();
        dormouse.start("child", "other", String.class, "").result();
        long began = System.nanoTime();
        assertThat(dormouse.start("transaction", "t", String.class, "x").result(Duration.ofMinutes(1)))
                .isEqualTo("done");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
        assertThat(problems).hasSize(4).allSatisfy(problem -> {
            assertThat(problem).isInstanceOf(DormouseException.class);
            assertThat(((DormouseException) problem).code()).isEqualTo(ErrorCode.NOT_ALLOWED_HERE);
            assertThat(problem).hasMessageContaining("step 'calls'").hasMessageContaining("within(connection)");
        });
        assertThat(dormouse.find("allowed", String.class).orElseThrow().result(Duration.ofMinutes(1)))
                .isEqualTo("x");
        assertThat(dormouse.find("refused", String.class)).isEmpty();
    }

    @Test
    void workflowMethodsAreRefusedInSteps() {
        try (Dormouse other = Dormouse.builder()
                .store("sqlite::memory:")
                .workflow(
                        "w",
                        String.class,
                        String.class,
                        (ctx, text) -> ctx.step("s", String.class, () -> {
                            problems.add(catchThrowable(() -> Workflow.sleep(Duration.ofSeconds(1))));
                            problems.add(catchThrowable(() -> ctx.step("inner", () -> {})));
                            return text;
                        }))
                .open()) {
            assertThat(other.start("w", "w", String.class, "x").result()).isEqualTo("x");
        }
        assertThat(problems)
                .hasSize(2)
                .allSatisfy(problem ->
                        assertThat(((DormouseException) problem).code()).isEqualTo(ErrorCode.OUTSIDE_WORKFLOW));
    }
}
