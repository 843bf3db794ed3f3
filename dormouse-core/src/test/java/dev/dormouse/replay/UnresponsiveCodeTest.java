package dev.dormouse.replay;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.QueryMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Code that catches the eviction error in a loop around a wait. */
class UnresponsiveCodeTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private static Dormouse open(SimulatedDormouse sim, String build, WorkflowFunction<String, String> code) {
        return sim.open(node -> SimulatedDormouse.echo(node)
                .workflow("w", String.class, String.class, code)
                .buildId(build)
                .maxExecuting(2));
    }

    /** Polls once an hour and catches everything. */
    private static WorkflowFunction<String, String> poller(SimulatedDormouse sim, AtomicLong caught) {
        return (ctx, input) -> {
            while (true) {
                try {
                    ctx.step("poll", () -> sim.log("poll"));
                    ctx.sleep(HOUR);
                } catch (Throwable swallowed) {
                    caught.incrementAndGet();
                }
            }
        };
    }

    private static WorkflowFunction<String, String> mended(SimulatedDormouse sim) {
        return (ctx, input) -> {
            for (int i = 0; i < 2; i++) {
                ctx.step("poll", () -> sim.log("poll"));
                ctx.sleep(HOUR);
            }
            return "done";
        };
    }

    @Test
    void runWhoseCodeIsNotEvictedIsStuckAndContinuesWithACorrectedBuild() {
        simulate(sim -> {
            AtomicLong caught = new AtomicLong();
            Dormouse dormouse = open(sim, "1", poller(sim, caught));
            WorkflowHandle<String> handle = dormouse.start("w", "w", String.class, "");
            sim.advance(MINUTE);
            assertThat(handle.describe().status()).isEqualTo(RunStatus.WAITING);
            assertThat(caught.get()).isBetween(1L, 20_000L);
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertClear(handle.describe().trouble(), ErrorCode.CODE_DOES_NOT_LEAVE);
            assertThat(handle.describe().trouble()).contains("catch neither Throwable nor Error");
            sim.assertStillWorks(dormouse);
            sim.advance(Duration.ofDays(2));
            assertThat(sim.log()).containsExactly("poll");
            assertThat(caught.get()).isLessThan(20_000L);
            Dormouse next = open(sim, "2", mended(sim));
            assertThat(sim.result(next.find("w", String.class).orElseThrow())).isEqualTo("done");
            assertThat(sim.log()).containsExactly("poll", "poll");
        });
    }

    @Test
    void branchThatDoesNotEndIsLeftBehindToo() {
        simulate(sim -> {
            AtomicLong caught = new AtomicLong();
            Dormouse dormouse = open(sim, "1", (ctx, input) -> {
                ctx.async(() -> poller(sim, caught).run(ctx, input));
                ctx.async(() -> poller(sim, caught).run(ctx, input));
                ctx.sleep(Duration.ofMinutes(90));
                return "done";
            });
            WorkflowHandle<String> handle = dormouse.start("w", "w", String.class, "");
            sim.advance(MINUTE);
            assertThat(handle.describe().status()).isEqualTo(RunStatus.WAITING);
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertClear(handle.describe().trouble(), ErrorCode.CODE_DOES_NOT_LEAVE);
            sim.assertStillWorks(dormouse);
        });
    }

    /** A mismatch is an exception, which more code catches. */
    @Test
    void runWhoseCodeDoesNotMatchIsGivenUpForThatReason() {
        simulate(sim -> {
            Dormouse old = open(sim, "1", mended(sim));
            old.start("w", "w", String.class, "");
            sim.advance(MINUTE);
            old.close();
            AtomicLong caught = new AtomicLong();
            Dormouse changed = open(sim, "2", (ctx, input) -> {
                while (true) {
                    try {
                        ctx.step("look", () -> sim.log("look"));
                        return "done";
                    } catch (Exception again) {
                        caught.incrementAndGet();
                    }
                }
            });
            WorkflowHandle<String> handle = changed.find("w", String.class).orElseThrow();
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertClear(handle.describe().trouble(), ErrorCode.CODE_DOES_NOT_MATCH);
            assertThat(caught.get()).isBetween(1L, 20_000L);
            sim.assertStillWorks(changed);
        });
    }

    @Test
    void slowLoopIsGivenUpAfterAWhile() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, "1", (ctx, input) -> {
                while (true) {
                    try {
                        ctx.sleep(HOUR);
                    } catch (Throwable swallowed) {
                        sim.advance(Duration.ofSeconds(1));
                    }
                }
            });
            WorkflowHandle<String> handle = dormouse.start("w", "w", String.class, "");
            sim.advance(Duration.ofMinutes(3));
            assertThat(sim.threads("run w")).isZero();
            sim.awaitStatus(handle, RunStatus.STUCK);
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void longButFiniteLoopIsNot() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, "1", (ctx, input) -> {
                int went = 0;
                for (int i = 0; i < 5_000; i++) {
                    try {
                        ctx.sleep(i == 0 ? HOUR : Duration.ZERO);
                        went++;
                    } catch (Throwable swallowed) {
                        // on with the next
                    }
                }
                return "went " + went;
            });
            assertThat(sim.result(dormouse.start("w", "w", String.class, ""))).isEqualTo("went 5000");
        });
    }

    /** A cancel is an exception, and is thrown at each call in a cancelled scope. */
    @Test
    void loopThatCatchesItsCancelIsGivenUp() {
        simulate(sim -> {
            AtomicLong caught = new AtomicLong();
            Dormouse dormouse = open(sim, "1", (ctx, input) -> {
                while (true) {
                    try {
                        ctx.step("poll", () -> sim.log("poll"));
                        ctx.sleep(HOUR);
                    } catch (Exception again) {
                        caught.incrementAndGet();
                    }
                }
            });
            WorkflowHandle<String> handle = dormouse.start("w", "w", String.class, "");
            sim.advance(MINUTE);
            handle.cancel("enough");
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertClear(handle.describe().trouble(), ErrorCode.CODE_DOES_NOT_LEAVE);
            assertThat(caught.get()).isLessThan(50_000);
            sim.assertStillWorks(dormouse);
            assertThat(handle.terminate("enough")).isTrue();
        });
    }

    @WorkflowInterface
    interface Asked {
        @WorkflowMethod
        void run();

        @QueryMethod
        String look();
    }

    record Deaf(BooleanSupplier goOn) implements Asked {
        @Override
        public void run() {
            while (goOn.getAsBoolean()) {
                try {
                    Workflow.sleep(HOUR);
                } catch (Throwable swallowed) {
                    // and again
                }
            }
        }

        @Override
        public String look() {
            return "looked";
        }
    }

    @Test
    void queryIsRefusedAndItsCallerReturns() {
        simulate(sim -> {
            Dormouse dormouse =
                    sim.open(node -> SimulatedDormouse.echo(node).workflow(Asked.class, () -> new Deaf(() -> true)));
            Asked stub = dormouse.workflow(Asked.class, "w");
            dormouse.start(stub::run);
            sim.advance(Duration.ofSeconds(1));
            for (int i = 0; i < 3; i++) {
                assertClear(catchThrowable(stub::look), ErrorCode.CODE_DOES_NOT_LEAVE);
            }
            sim.assertStillWorks(dormouse);
        });
    }
}
