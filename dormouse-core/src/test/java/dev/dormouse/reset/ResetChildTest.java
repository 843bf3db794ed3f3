package dev.dormouse.reset;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.ParentClosePolicy;
import dev.dormouse.Promise;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Children of a parent that is reset, and parents of a child that is reset. */
class ResetChildTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    /** Opens a node with a parent and its child, which takes a minute and logs each of its runs. */
    private static Dormouse open(SimulatedDormouse sim, ChildOptions options) {
        return sim.open(node -> Scenario.with(node, (ctx, input) -> {
                    ctx.step("a", () -> sim.log("a"));
                    Promise<String> kid = ctx.child("kid", "kid", options, String.class, "x");
                    ctx.step("b", () -> sim.log("b"));
                    return kid.get() + ctx.step("c", String.class, () -> "c");
                })
                .workflow("kid", String.class, String.class, (ctx, input) -> {
                    ctx.step("kid", () -> sim.log("kid"));
                    ctx.sleep(MINUTE);
                    return "kid";
                }));
    }

    private static WorkflowHandle<String> kid(Dormouse dormouse) {
        return dormouse.find("kid", String.class).orElseThrow();
    }

    @Test
    void childThatWasAskedForBeforeThePointAndHasEndedIsNotStartedAgain() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, ChildOptions.DEFAULT);
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            String result = sim.result(handle);
            int asked = Scenario.kinds(handle).indexOf("ChildRequested");
            for (int events = asked + 1; events < handle.history().size(); events++) {
                handle = handle.reset(events);
                assertThat(sim.result(handle)).isEqualTo(result);
            }
            assertThat(sim.count("kid")).isEqualTo(1);
        });
    }

    @Test
    void childAfterThePointIsStartedAgainInThePlaceOfTheOldOne() {
        for (ChildOptions options : List.of(
                ChildOptions.DEFAULT,
                ChildOptions.DEFAULT.withParentClosePolicy(ParentClosePolicy.ABANDON),
                ChildOptions.DEFAULT.withParentClosePolicy(ParentClosePolicy.CANCEL))) {
            simulate(2, sim -> {
                Dormouse dormouse = open(sim, options);
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                sim.result(handle);
                WorkflowHandle<String> first = kid(dormouse);
                assertThat(sim.result(handle.reset(1))).isEqualTo("kidc");
                assertThat(kid(dormouse).runId()).isNotEqualTo(first.runId());
                assertThat(sim.count("kid")).isEqualTo(2);
            });
        }
    }

    @Test
    void openChildIsEndedWithItsParentAndStartedAgain() {
        for (ChildOptions options :
                List.of(ChildOptions.DEFAULT, ChildOptions.DEFAULT.withParentClosePolicy(ParentClosePolicy.CANCEL))) {
            simulate(2, sim -> {
                Dormouse dormouse = open(sim, options);
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                sim.await("the child", () -> sim.count("kid") == 1);
                assertThat(sim.result(handle.reset(1))).isEqualTo("kidc");
                assertThat(sim.count("kid")).isEqualTo(2);
            });
        }
    }

    @Test
    void openChildBeforeThePointIsRefusedWithTheNumberThatWorks() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, ChildOptions.DEFAULT);
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.awaitStatus(handle, RunStatus.WAITING);
            sim.await("the child", () -> sim.count("kid") == 1);
            int asked = Scenario.kinds(handle).indexOf("ChildRequested");
            Throwable refused = catchThrowable(() -> handle.reset(asked + 1));
            assertClear(refused, ErrorCode.RESET_REFUSED);
            assertThat(refused)
                    .hasMessageContaining("child 'kid'")
                    .hasMessageContaining("at most " + asked + " events");
            assertThat(handle.describe().status()).isEqualTo(RunStatus.WAITING);
            assertThat(sim.result(handle.reset(asked))).isEqualTo("kidc");
            assertThat(sim.count("a")).isEqualTo(1);
        });
    }

    @Test
    void resetPastAChildWhoseEndWasNotTakenIsRefused() {
        for (ChildOptions options :
                List.of(ChildOptions.DEFAULT, ChildOptions.DEFAULT.withParentClosePolicy(ParentClosePolicy.ABANDON))) {
            simulate(sim -> {
                Dormouse dormouse = open(sim, options);
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                sim.awaitStatus(handle, RunStatus.WAITING);
                handle.terminate("stop");
                sim.advance(HOUR);
                assertClear(catchThrowable(() -> handle.reset(4)), ErrorCode.RESET_REFUSED);
                assertThat(sim.result(handle.reset(2))).isEqualTo("kidc");
            });
        }
    }

    @Test
    void childThatWasLeftBehindAndIsStillOpenKeepsItsId() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, ChildOptions.DEFAULT.withParentClosePolicy(ParentClosePolicy.ABANDON));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.await("the child", () -> sim.count("kid") == 1);
            WorkflowException failed = sim.failure(handle.reset(1));
            assertThat(failed).hasStackTraceContaining(ErrorCode.WORKFLOW_ID_TAKEN.label());
            assertThat(sim.result(kid(dormouse))).isEqualTo("kid");
        });
    }

    @Test
    void idsOfOthersAreNotTaken() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, ChildOptions.DEFAULT);
            WorkflowHandle<String> other = dormouse.start("kid", "kid", String.class, "x");
            sim.result(other);
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.failure(handle);
            assertThat(sim.failure(handle.reset(1))).hasStackTraceContaining(ErrorCode.WORKFLOW_ID_TAKEN.label());
            assertThat(kid(dormouse).runId()).isEqualTo(other.runId());
        });
    }

    @Test
    void failedChildIsStartedAgainByARetryOfItsParent() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                        ctx.step("a", () -> sim.log("a"));
                        return Objects.requireNonNull(ctx.child("kid", "kid", ChildOptions.DEFAULT, String.class, "x")
                                .get());
                    })
                    .workflow("kid", String.class, String.class, (ctx, input) -> {
                        ctx.step("kid", () -> {
                            sim.log("kid");
                            if (sim.count("mended") == 0) {
                                throw new IllegalStateException("broken");
                            }
                        });
                        return "kid";
                    }));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.failure(handle);
            handle = handle.retry();
            sim.failure(handle);
            sim.log("mended");
            assertThat(sim.result(handle.retry())).isEqualTo("kid");
            assertThat(sim.log()).containsExactly("a", "kid", "kid", "mended", "kid");
        });
    }

    @Test
    void endOfAChildOfTheOldRunMeansNothingToAnotherCallOfTheNewOne() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                        String which = ctx.step("which", String.class, () -> sim.count("mended") == 0 ? "one" : "two");
                        return Objects.requireNonNull(ctx.child("kid", which, ChildOptions.DEFAULT, String.class, which)
                                .get());
                    })
                    .workflow("kid", String.class, String.class, (ctx, input) -> {
                        ctx.sleep(MINUTE);
                        return input;
                    }));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            assertThat(sim.result(handle)).isEqualTo("one");
            sim.log("mended");
            handle = handle.reset(1);
            assertThat(sim.result(handle)).isEqualTo("two");
            handle = handle.reset(3);
            assertThat(sim.result(handle)).isEqualTo("two");
        });
    }

    @Test
    void parentOfAChildThatIsResetHasItsEndAlready() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, ChildOptions.DEFAULT);
            WorkflowHandle<String> parent = Scenario.start(dormouse);
            sim.await("the child", () -> sim.count("kid") == 1);
            sim.awaitStatus(kid(dormouse), RunStatus.WAITING);
            WorkflowHandle<String> next = kid(dormouse).reset(1);
            assertThat(sim.failure(parent)).hasStackTraceContaining("reset");
            assertThat(sim.result(next)).isEqualTo("kid");
            sim.assertStillWorks(dormouse);
        });
    }
}
