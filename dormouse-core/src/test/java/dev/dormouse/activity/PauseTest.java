package dev.dormouse.activity;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.RetryPolicy;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Activities that pause, and activities that are completed from outside. */
class PauseTest {
    private static final Duration HOUR = Duration.ofHours(1);

    /** Polls once an hour; the fourth poll succeeds. */
    private static WorkflowFunction<String, String> polling(SimulatedDormouse sim) {
        return (ctx, input) -> ctx.step("poll", ActivityOptions.DEFAULT, String.class, () -> {
            int looks = Activity.lastCheckpoint(Integer.class).orElse(0);
            sim.log("look " + looks + " at " + sim.elapsed().toHours() + " attempt "
                    + Activity.info().attempt());
            if (looks < 3) {
                Activity.checkpoint(looks + 1);
                Activity.heartbeat("looked " + looks);
                return Activity.pause("not ready", HOUR);
            }
            return "ready";
        });
    }

    @Test
    void pausedActivityRunsAgainWithItsCheckpointAndHasNotFailed() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, polling(sim));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(Duration.ofMinutes(30));
            RunDescription paused = handle.describe();
            assertThat(paused.status()).isEqualTo(RunStatus.WAITING);
            assertThat(paused.wakeReason()).isEqualTo(WakeReason.PAUSE);
            assertThat(paused.steps().get(0).pause()).contains("not ready");
            assertThat(paused.steps().get(0).lastFailure()).isEmpty();
            assertThat(sim.threads("run")).isZero();
            assertThat(sim.result(handle)).isEqualTo("ready");
            assertThat(sim.log())
                    .containsExactly(
                            "look 0 at 0 attempt 1",
                            "look 1 at 1 attempt 1",
                            "look 2 at 2 attempt 1",
                            "look 3 at 3 attempt 1");
        });
    }

    @Test
    void anotherNodeContinuesWhenTheOneItPausedOnIsGone() {
        simulate(sim -> {
            Dormouse one = Scenario.open(sim, polling(sim));
            Scenario.start(one);
            sim.advance(Duration.ofMinutes(90));
            sim.kill(one);
            Dormouse two = Scenario.open(sim, polling(sim));
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("ready");
            assertThat(sim.log()).hasSize(4);
        });
    }

    private static WorkflowFunction<String, String> pausing(SimulatedDormouse sim, String node) {
        return (ctx, input) -> ctx.step("poll", ActivityOptions.DEFAULT, String.class, () -> {
            sim.log(node + " " + ctx.info().workflowId());
            if (Activity.lastCheckpoint(Integer.class).isEmpty()) {
                Activity.checkpoint(1);
                return Activity.pause("not ready", Duration.ofSeconds(30));
            }
            return "ready";
        });
    }

    private static Duration lasted(WorkflowHandle<?> handle) {
        RunDescription run = handle.describe();
        return Duration.between(run.startedAt(), run.closedAt().orElseThrow());
    }

    @Test
    void nodeOnWhichItPausedContinuesWithIt() {
        simulate(sim -> {
            List<Dormouse> nodes = Stream.of("a", "b", "c")
                    .map(name -> Scenario.open(sim, pausing(sim, name)))
                    .toList();
            List<WorkflowHandle<String>> handles = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                handles.add(nodes.get(i % 3).start("w", "w" + i, String.class, ""));
                sim.advance(Duration.ofMillis(37L * (i % 5)));
            }
            handles.forEach(handle -> assertThat(sim.result(handle)).isEqualTo("ready"));
            assertThat(sim.log()).hasSize(60);
            long moved = sim.log().stream().filter(line -> sim.count(line) != 2).count() / 2;
            assertThat(moved)
                    .as("of 30 went on elsewhere, as 20 would by chance")
                    .isLessThanOrEqualTo(6);
            handles.forEach(handle -> assertThat(lasted(handle))
                    .isBetween(Duration.ofSeconds(30).minus(Scenario.CLOSE), Duration.ofSeconds(31)));
        });
    }

    @Test
    void nodeThatClosesLeavesItsPausesToOtherNodesOnTime() {
        simulate(sim -> {
            Dormouse one = Scenario.open(sim, pausing(sim, "a"));
            Scenario.start(one);
            sim.advance(Duration.ofSeconds(3));
            Dormouse two = Scenario.open(sim, pausing(sim, "b"));
            one.close();
            WorkflowHandle<String> handle = two.find("w", String.class).orElseThrow();
            assertThat(sim.result(handle)).isEqualTo("ready");
            assertThat(sim.log()).containsExactly("a w", "b w");
            assertThat(lasted(handle)).isLessThan(Duration.ofSeconds(31));
        });
    }

    @Test
    void timerBesideAPauseIsOnTimeEvenWhenItsNodeIsGone() {
        simulate(sim -> {
            WorkflowFunction<String, String> code = (ctx, input) -> {
                Promise<String> polled = ctx.async(() -> pausing(sim, "x").run(ctx, input));
                ctx.sleep(Duration.ofSeconds(31));
                sim.log("slept until " + sim.elapsed().toSeconds());
                return polled.get();
            };
            Dormouse one = Scenario.open(sim, code);
            Scenario.start(one);
            sim.advance(Duration.ofSeconds(3));
            sim.kill(one);
            Dormouse two = Scenario.open(sim, code);
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("ready");
            assertThat(sim.log()).contains("slept until 31");
        });
    }

    @Test
    void signalReachesARunWhoseActivityHasPaused() {
        simulate(sim -> {
            WorkflowFunction<String, String> code = (ctx, input) -> {
                Promise<String> polled = ctx.async(() -> pausing(sim, "x").run(ctx, input));
                String said = ctx.waitForSignal("say", HOUR).orElseThrow().value(String.class);
                ctx.step(
                        "told",
                        () -> sim.log("told " + said + " at " + sim.elapsed().toSeconds()));
                return polled.get();
            };
            Dormouse one = Scenario.open(sim, code);
            Scenario.open(sim, code);
            WorkflowHandle<String> handle = Scenario.start(one);
            sim.advance(Duration.ofSeconds(10));
            handle.signal("say", "hello");
            assertThat(sim.result(handle)).isEqualTo("ready");
            assertThat(sim.log()).containsExactly("x w", "told hello at 10", "x w");
            assertThat(lasted(handle)).isLessThan(Duration.ofSeconds(31));
        });
    }

    @Test
    void checkpointSurvivesFailuresToo() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("job", ActivityOptions.DEFAULT, String.class, () -> {
                        int done = Activity.lastCheckpoint(Integer.class).orElse(0);
                        if (done < 3) {
                            Activity.checkpoint(done + 1);
                            throw new IllegalStateException("failed after " + (done + 1));
                        }
                        return "done in attempt " + Activity.info().attempt();
                    }));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("done in attempt 4");
        });
    }

    @Test
    void pauseThatItsCodeCatchesIsAPauseAllTheSame() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("job", ActivityOptions.DEFAULT, String.class, () -> {
                        try {
                            if (Activity.lastCheckpoint(String.class).isEmpty()) {
                                Activity.checkpoint("seen");
                                Activity.pause("wait", HOUR);
                            }
                        } catch (Throwable swallowed) {
                            return "swallowed";
                        }
                        return "resumed";
                    }));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("resumed");
            assertThat(sim.elapsed()).isGreaterThan(HOUR);
        });
    }

    @Test
    void activityIsCompletedByAnyCallerWithItsToken() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, handingOut(sim));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.advance(HOUR);
            assertThat(handle.describe().status()).isEqualTo(RunStatus.WAITING);
            assertThat(handle.describe().steps().get(0).handedOut()).isTrue();
            assertThat(sim.threads("run")).isZero();
            String token = sim.log().get(0);
            dormouse.completeActivity(token, "signed");
            assertThat(sim.result(handle)).isEqualTo("signed");
            assertRefused(() -> dormouse.completeActivity(token, "again"), ErrorCode.TOKEN_USED);
            assertRefused(() -> dormouse.failActivity(token, new RuntimeException()), ErrorCode.TOKEN_USED);
        });
    }

    private static WorkflowFunction<String, String> handingOut(SimulatedDormouse sim) {
        return (ctx, input) -> ctx.step("sign", ActivityOptions.DEFAULT, String.class, () -> {
            sim.log(Activity.completeLater());
            return "not counted";
        });
    }

    @Test
    void tokenWorksOnceEvenWhileTheRunContinuesAndAcrossNodes() {
        simulate(sim -> {
            WorkflowFunction<String, String> code = (ctx, input) -> {
                String signed = handingOut(sim).run(ctx, input);
                ctx.sleep(HOUR);
                return signed;
            };
            Dormouse one = Scenario.open(sim, code);
            Scenario.start(one);
            sim.advance(HOUR);
            sim.kill(one);
            Dormouse two = Scenario.open(sim, code);
            two.completeActivity(sim.log().get(0), "first");
            assertRefused(() -> two.completeActivity(sim.log().get(0), "second"), ErrorCode.TOKEN_USED);
            sim.advance(Duration.ofMinutes(1));
            assertRefused(() -> two.completeActivity(sim.log().get(0), "third"), ErrorCode.TOKEN_USED);
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("first");
        });
    }

    @Test
    void tokenMayBeUsedBeforeTheActivityReturns() {
        simulate(sim -> {
            Dormouse[] node = new Dormouse[1];
            node[0] = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("quick", ActivityOptions.DEFAULT, String.class, () -> {
                        node[0].completeActivity(Activity.completeLater(), "early");
                        sim.advance(Duration.ofSeconds(5));
                        return "not counted";
                    }));
            assertThat(sim.result(Scenario.start(node[0]))).isEqualTo("early");
        });
    }

    @Test
    void activityThatIsFailedFromOutsideIsTriedAgainAsItsPolicySays() {
        simulate(sim -> {
            ActivityOptions twice = ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxAttempts(2));
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("sign", twice, String.class, () -> {
                        sim.log(Activity.completeLater());
                        return "";
                    }));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.await("a token", () -> sim.log().size() == 1);
            sim.advance(HOUR);
            dormouse.failActivity(sim.log().get(0), new IllegalStateException("the pen was empty"));
            sim.await("another", () -> sim.log().size() == 2);
            assertThat(handle.describe().steps().get(0).attempt()).isBetween(1, 2);
            sim.advance(HOUR);
            assertRefused(() -> dormouse.completeActivity(sim.log().get(0), "old token"), ErrorCode.TOKEN_USED);
            dormouse.failActivity(sim.log().get(1), new IllegalStateException("the paper was wet"));
            assertThat(sim.failure(handle))
                    .hasMessageContaining("failed 2 times")
                    .hasMessageContaining("the paper was wet");
        });
    }

    @Test
    void tokenThatIsNotUsedInTimeExpires() {
        simulate(sim -> {
            ActivityOptions options =
                    ActivityOptions.DEFAULT.withAttemptTimeout(HOUR).withRetry(RetryPolicy.DEFAULT.withMaxAttempts(2));
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("sign", options, String.class, () -> {
                        sim.log(Activity.completeLater());
                        return "";
                    }));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.await("another token", () -> sim.log().size() == 2);
            assertThat(sim.elapsed()).isBetween(HOUR, HOUR.plusSeconds(3));
            sim.advance(Duration.ofSeconds(1));
            assertRefused(() -> dormouse.completeActivity(sim.log().get(0), "too late"), ErrorCode.TOKEN_USED);
            dormouse.completeActivity(sim.log().get(1), "in time");
            assertThat(sim.result(handle)).isEqualTo("in time");
        });
    }

    private static void assertRefused(Runnable call, ErrorCode code) {
        assertClear(org.assertj.core.api.Assertions.catchThrowable(call::run), code);
    }
}
