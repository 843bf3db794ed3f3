package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A step that waits for other runs leaves them a place to execute, in whatever way it waits. */
@Timeout(50)
class WaysToWaitTest {
    private static final int ROOM = 4;
    private static final int PARENTS = 12;

    private final AtomicReference<Dormouse> self = new AtomicReference<>();

    private WorkflowHandle<String> child(String id) {
        return self.get().start("child", id, String.class, id);
    }

    private void assertAllEnd(Function<String, String> inStep) {
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite::memory:")
                .workflow(
                        "child", String.class, String.class, (ctx, text) -> ctx.step("echo", String.class, () -> text))
                .workflow(
                        "middle",
                        String.class,
                        String.class,
                        (ctx, id) -> ctx.step(
                                "wait", String.class, () -> child(id + "-child").result()))
                .workflow(
                        "parent",
                        String.class,
                        String.class,
                        (ctx, id) -> ctx.step("wait", String.class, () -> inStep.apply(id)))
                .maxExecuting(ROOM)
                .maxParked(ROOM)
                .open()) {
            self.set(dormouse);
            List<WorkflowHandle<String>> parents = new ArrayList<>();
            for (int i = 0; i < PARENTS; i++) {
                parents.add(dormouse.start("parent", "p" + i, String.class, "c" + i));
            }
            for (int i = 0; i < PARENTS; i++) {
                assertThat(parents.get(i).result(Duration.ofSeconds(30))).startsWith("c" + i);
            }
        }
    }

    @Test
    void allOfManyFutures() {
        assertAllEnd(id -> {
            CompletableFuture<String> one = child(id + "-1").resultAsync();
            CompletableFuture<String> two = child(id + "-2").resultAsync();
            CompletableFuture.allOf(one, two).join();
            return one.join();
        });
    }

    @Test
    void anyOfManyFutures() {
        assertAllEnd(
                id -> (String) CompletableFuture.anyOf(child(id).resultAsync()).join());
    }

    @Test
    void lookingAgainAndAgain() {
        assertAllEnd(id -> {
            CompletableFuture<String> future = child(id).resultAsync();
            while (!future.isDone()) {
                LockSupport.parkNanos(1_000_000);
            }
            return future.join();
        });
    }

    @Test
    void nested() {
        assertAllEnd(id -> self.get().start("middle", id, String.class, id).result());
    }
}
