package dev.dormouse.reset;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.RetryPolicy;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Attempts and handed-out steps of runs that are retried or reset. */
class ResetAttemptsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final ActivityOptions THRICE =
            ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxAttempts(3));

    @Test
    void stepWhoseRetriesAreUsedUpHasAllOfThemAgain() {
        for (ActivityOptions options : List.of(
                THRICE,
                THRICE.withTotalTimeout(MINUTE),
                THRICE.withRetry(THRICE.retry().withMaxDuration(MINUTE)))) {
            simulate(sim -> {
                Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                    Promise<String> beside = ctx.async(() -> {
                        ctx.sleep(SECOND);
                        return ctx.step("beside", String.class, () -> {
                            sim.log("beside");
                            return "beside";
                        });
                    });
                    String shaky = ctx.step("shaky", options, String.class, () -> {
                        sim.log("key " + Activity.idempotencyKey());
                        sim.log("attempt " + Activity.info().attempt());
                        if (sim.count("attempt 1") < 3 || Activity.info().attempt() < 3) {
                            throw new IllegalStateException("broken");
                        }
                        return "shaky";
                    });
                    return shaky + beside.get();
                });
                WorkflowHandle<String> handle = Scenario.start(dormouse);
                sim.failure(handle);
                sim.advance(Duration.ofHours(1));
                handle = handle.retry();
                sim.failure(handle);
                sim.advance(Duration.ofHours(1));
                handle = handle.retry();
                assertThat(sim.result(handle)).isEqualTo("shakybeside");
                for (int attempt = 1; attempt <= 3; attempt++) {
                    assertThat(sim.count("attempt " + attempt)).isEqualTo(3);
                }
                assertThat(sim.count("beside")).isEqualTo(1);
                assertThat(new HashSet<>(sim.log().stream()
                                .filter(line -> line.startsWith("key"))
                                .toList()))
                        .hasSize(1);
            });
        }
    }

    private static Dormouse handsOut(SimulatedDormouse sim) {
        return Scenario.open(sim, (ctx, input) -> {
            String before = ctx.step("before", String.class, () -> "before ");
            String outside = ctx.step("outside", String.class, () -> {
                sim.log(Activity.completeLater());
                return "";
            });
            return before + outside + ctx.step("after", String.class, () -> " after");
        });
    }

    @Test
    void stepThatWasCompletedFromOutsideCanBeSharedToo() {
        simulate(sim -> {
            Dormouse dormouse = handsOut(sim);
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.awaitStatus(handle, RunStatus.WAITING);
            dormouse.completeActivity(sim.log().get(0), "done");
            String result = sim.result(handle);
            assertThat(result).isEqualTo("before done after");
            int handedOut = Scenario.kinds(handle).indexOf("StepHandedOut");
            for (int events = handle.history().size() - 1; events > handedOut; events--) {
                handle = handle.reset(events);
                assertThat(sim.result(handle)).as("%s events", events).isEqualTo(result);
            }
            assertThat(sim.log()).hasSize(1);
        });
    }

    @Test
    void tokenThatWasHandedOutBeforeThePointIsGoodAndLaterOnesAreNot() {
        simulate(sim -> {
            Dormouse dormouse = handsOut(sim);
            WorkflowHandle<String> old = Scenario.start(dormouse);
            sim.awaitStatus(old, RunStatus.WAITING);
            WorkflowHandle<String> anew = old.reset(2);
            sim.await("another token", () -> sim.log().size() == 2);
            sim.awaitStatus(anew, RunStatus.WAITING);
            Throwable refused =
                    catchThrowable(() -> dormouse.completeActivity(sim.log().get(0), "too late"));
            assertClear(refused, ErrorCode.TOKEN_USED);
            WorkflowHandle<String> next = anew.reset(3);
            sim.awaitStatus(next, RunStatus.WAITING);
            dormouse.completeActivity(sim.log().get(1), "done");
            assertThat(sim.result(next)).isEqualTo("before done after");
            assertClear(
                    catchThrowable(() -> dormouse.completeActivity(sim.log().get(1), "again")), ErrorCode.TOKEN_USED);
        });
    }
}
