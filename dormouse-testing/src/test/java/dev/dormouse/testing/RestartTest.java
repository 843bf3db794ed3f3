package dev.dormouse.testing;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Approval;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workflows that survive a restart of their node. */
@Timeout(60)
class RestartTest {
    private final AtomicReference<TestDormouse> test = new AtomicReference<>();
    private final List<String> log = new ArrayList<>();

    private DormouseBuilder orders(DormouseBuilder builder) {
        return builder.workflow("order", String.class, String.class, (ctx, item) -> {
            ctx.step("charge", () -> log.add("charge"));
            ctx.step("pack", () -> {
                log.add("pack");
                test.get().advance(Duration.ofMinutes(10));
                log.add("packed");
            });
            ctx.sleep(Duration.ofDays(2));
            return ctx.step("ship", String.class, () -> "shipped " + item);
        });
    }

    private TestDormouse open() {
        test.set(TestDormouse.open(this::orders));
        return test.get();
    }

    @Test
    void stepInFlightRunsAgainAndCommittedOnesDoNot() {
        try (TestDormouse env = open()) {
            env.dormouse().start("order", "o", String.class, "book");
            env.advance(Duration.ofMinutes(5));

            Dormouse again = env.restart();

            assertThat(again).isSameAs(env.dormouse());
            assertThat(again.find("o", String.class).orElseThrow().result()).isEqualTo("shipped book");
            assertThat(log).containsExactly("charge", "pack", "pack", "packed");
            assertThat(env.elapsed()).isEqualTo(Duration.ofDays(2).plusMinutes(15));
        }
    }

    @Test
    void sleepGoesOnWhereItWas() {
        try (TestDormouse env = open()) {
            env.dormouse().start("order", "o", String.class, "book");
            env.advance(Duration.ofDays(1));
            for (int i = 0; i < 10; i++) {
                env.restart();
            }
            assertThat(env.dormouse().find("o", String.class).orElseThrow().result())
                    .isEqualTo("shipped book");
            assertThat(env.elapsed()).isEqualTo(Duration.ofDays(2).plusMinutes(10));
        }
    }

    @Test
    void manyRestartsWithinOneStepDoNotParkTheRun() {
        try (TestDormouse env = open()) {
            env.dormouse().start("order", "o", String.class, "book");
            for (int i = 0; i < 20; i++) {
                env.advance(Duration.ofMinutes(1));
                env.restart();
            }
            assertThat(env.dormouse().find("o", String.class).orElseThrow().result())
                    .isEqualTo("shipped book");
        }
    }

    @Test
    void theDeadDoNotAnswer() {
        try (TestDormouse env = open()) {
            Dormouse dead = env.dormouse();
            WorkflowHandle<String> handle = dead.start("order", "o", String.class, "book");
            env.restart();
            for (Throwable problem : List.of(
                    catchThrowable(handle::result),
                    catchThrowable(handle::describe),
                    catchThrowable(() -> handle.resultAsync().join()),
                    catchThrowable(() -> handle.signal("x")),
                    catchThrowable(() -> dead.start("order", "p", String.class, "book")),
                    catchThrowable(() -> dead.find("o", String.class)))) {
                assertClear(problem, ErrorCode.NODE_KILLED);
            }
            assertThat(env.dormouse().find("o", String.class).orElseThrow().result())
                    .isEqualTo("shipped book");
        }
    }

    @Test
    void newCodeIsDeployedUnderOpenRuns() {
        try (TestDormouse env =
                TestDormouse.open(builder -> builder.workflow(Approval.class, Approval.Implementation::new))) {
            Instant deadline = env.now().plus(Duration.ofDays(9));
            Approval approval = env.dormouse().workflow(Approval.class, "a");
            env.dormouse().start(() -> approval.execute(deadline));
            env.advance(Duration.ofDays(1));

            env.restart(builder -> builder.workflow(Approval.class, () -> new Approval.Implementation() {
                @Override
                public String execute(Instant until) {
                    return super.execute(until) + " by new code";
                }
            }));

            env.dormouse().workflow(Approval.class, "a").approve();
            assertThat(env.dormouse().find("a", String.class).orElseThrow().result())
                    .isEqualTo("APPROVED by new code");
        }
    }

    @Test
    void newCodeThatDoesNotMatchIsFoundOut() {
        try (TestDormouse env = open()) {
            env.dormouse().start("order", "o", String.class, "book");
            env.advance(Duration.ofDays(1));
            env.restart(builder -> builder.workflow("order", String.class, String.class, (ctx, item) -> {
                ctx.step("weigh", () -> log.add("weigh"));
                return "";
            }));
            WorkflowHandle<String> handle =
                    env.dormouse().find("o", String.class).orElseThrow();
            assertThat(catchThrowable(handle::result))
                    .hasMessageContaining("DM5001")
                    .hasMessageContaining("is stuck: [DM4001]")
                    .hasMessageContaining("step 'charge' completed")
                    .hasMessageContaining("RestartTest.java:");
            assertThat(log).doesNotContain("weigh");
        }
    }

    @Test
    void runIsNotHandedToTheNodeThatWasKilled() {
        try (TestDormouse env = open()) {
            env.dormouse().start("order", "o", String.class, "book");
            env.advance(Duration.ofDays(1));
            env.restart(builder -> builder.workflow("order", String.class, String.class, (ctx, item) -> ""));
            env.advance(Duration.ofDays(2));
            assertThat(env.dormouse().handle("o").describe().status()).isEqualTo(RunStatus.STUCK);

            env.restart(this::orders);
            assertThat(env.dormouse().handle("o", String.class).result()).isEqualTo("shipped book");
        }
    }

    @Test
    void closedDormouseCanBeRestarted() {
        try (TestDormouse env = open()) {
            env.dormouse().start("order", "o", String.class, "book");
            env.advance(Duration.ofDays(1));
            env.dormouse().close();
            assertThat(env.restart().find("o", String.class).orElseThrow().result())
                    .isEqualTo("shipped book");
        }
    }
}
