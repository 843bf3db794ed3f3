package dev.dormouse.failure;

import static dev.dormouse.support.HostileScenario.HOUR;
import static dev.dormouse.support.HostileScenario.MINUTE;
import static dev.dormouse.support.HostileScenario.attempts;
import static dev.dormouse.support.HostileScenario.outcome;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.QueueOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.StartOptions;
import dev.dormouse.StepAction;
import dev.dormouse.StepFunction;
import dev.dormouse.TransactionAction;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.support.Box;
import dev.dormouse.support.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Invalid calls, each of which is refused with a clear error while the run continues. */
class HostileCallTest {

    private static void stays(String expected, WorkflowFunction<String, String> code) {
        Scenario.returns(expected, sim -> (ctx, input) -> {
            String first = code.run(ctx, input);
            ctx.sleep(HOUR);
            return first;
        });
    }

    @Test
    @SuppressWarnings("NullAway")
    void badCallsOfStepsAreRefused() {
        ActivityOptions options = ActivityOptions.DEFAULT;
        stays("", (ctx, input) -> {
            return new Scenario.BadCalls()
                    .add("null name", () -> ctx.step(null, () -> {}))
                    .add("null name and options", () -> ctx.step(null, options, () -> {}))
                    .add("null type", () -> ctx.step("s", (Class<String>) null, () -> ""))
                    .add("null options", () -> ctx.step("s", (ActivityOptions) null, () -> {}))
                    .add("null options with type", () -> ctx.step("s", null, String.class, () -> ""))
                    .add("null action", () -> ctx.step("s", (StepAction) null))
                    .add("null function", () -> ctx.step("s", String.class, (StepFunction<String>) null))
                    .add("null action with options", () -> ctx.step("s", options, null))
                    .add("null transaction", () -> ctx.transaction("s", (TransactionAction) null))
                    .add("null transaction name", () -> ctx.transaction(null, c -> {}))
                    .add("null transaction type", () -> ctx.transaction("s", (Class<String>) null, c -> ""))
                    .add("null transaction options", () -> ctx.transaction("s", (ActivityOptions) null, c -> {}))
                    .add("null activities", () -> ctx.activities(null))
                    .unclear();
        });
    }

    @Test
    @SuppressWarnings("NullAway")
    void refusedCallsDoNotChangeTheKeysOfTheStepsAfterThem() {
        stays("/s/1", (ctx, input) -> {
            outcome(() -> ctx.step("s", (ActivityOptions) null, () -> {}));
            String key = ctx.step("s", String.class, Activity::idempotencyKey);
            return key.substring(key.indexOf('/'));
        });
    }

    @Test
    @SuppressWarnings({"NullAway", "NullOptional"})
    void badOptionsAreRefused() {
        RetryPolicy policy = RetryPolicy.DEFAULT;
        ActivityOptions options = ActivityOptions.DEFAULT;
        assertThat(new Scenario.BadCalls()
                        .add("null retry", () -> options.withRetry(null))
                        .add("null queue", () -> options.withQueue(null))
                        .add("null queue of a start", () -> StartOptions.DEFAULT.withQueue(null))
                        .add("null queue of a child", () -> ChildOptions.DEFAULT.withQueue(null))
                        .add("null rate key", () -> options.withQueue("q").withRateKey(null))
                        .add("null period", () -> QueueOptions.DEFAULT.withRate(1, null))
                        .add("null period per key", () -> QueueOptions.DEFAULT.withRatePerKey(1, null))
                        .add("null reuse", () -> StartOptions.DEFAULT.withIdReuse(null))
                        .add("null start", () -> StartOptions.DEFAULT.withStartAt(null))
                        .add("null start delay", () -> StartOptions.DEFAULT.withStartDelay(null))
                        .add("null execution timeout", () -> StartOptions.DEFAULT.withExecutionTimeout(null))
                        .add("null quiet period", () -> StartOptions.DEFAULT.withDebounce(null, HOUR))
                        .add("null limit", () -> StartOptions.DEFAULT.withDebounce(HOUR, null))
                        .add("null key of memo", () -> StartOptions.DEFAULT.withMemo(null, "text"))
                        .add("null in memo", () -> StartOptions.DEFAULT.withMemo("note", null))
                        .add("negative attempt", () -> options.withAttemptTimeout(Duration.ofNanos(-1)))
                        .add("null attempt timeout", () -> options.withAttemptTimeout(null))
                        .add("null timeout call", () -> options.withTotalTimeout(null))
                        .add("null heartbeat call", () -> options.withHeartbeatTimeout(null))
                        .add(
                                "timeout below attempt",
                                () -> options.withAttemptTimeout(HOUR).withTotalTimeout(MINUTE))
                        .add(
                                "total below heartbeat",
                                () -> options.withHeartbeatTimeout(HOUR).withTotalTimeout(MINUTE))
                        .add("null interval", () -> policy.withInitialInterval(null))
                        .add("null largest", () -> policy.withMaxInterval(null))
                        .add("largest below", () -> policy.withMaxInterval(Duration.ofMillis(1)))
                        .add("negative coefficient", () -> policy.withBackoffCoefficient(-2))
                        .add("fewest attempts", () -> policy.withMaxAttempts(Integer.MIN_VALUE))
                        .add("null retryAfter", () -> ActivityFailedException.retryAfter(null))
                        .add("null nonRetryable", () -> ActivityFailedException.nonRetryable(null))
                        .add("null default", () -> Dormouse.builder().activityOptions(null))
                        .add("null total", () -> policy.withMaxDuration(null))
                        .add("null class", () -> policy.withNonRetryable((Class<? extends Throwable>) null))
                        .add("null class name", () -> policy.withNonRetryable((String) null))
                        .unclear())
                .isEmpty();
    }

    @Test
    void activityCallsInWorkflowCodeAreRefused() {
        stays(
                "",
                (ctx, input) -> new Scenario.BadCalls()
                        .add("info", Activity::info)
                        .add("key", Activity::idempotencyKey)
                        .add("heartbeat", Activity::heartbeat)
                        .add("progress", () -> Activity.heartbeat("x"))
                        .add("last", () -> Activity.lastHeartbeat(String.class))
                        .add("checkpoint", () -> Activity.checkpoint("x"))
                        .add("lastCheckpoint", () -> Activity.lastCheckpoint(String.class))
                        .add("pause", () -> Activity.pause("x", HOUR))
                        .add("later", Activity::completeLater)
                        .unclear());
    }

    @Test
    void workflowCallsInActivitiesAreRefusedEvenThroughTheContext() {
        stays(
                "",
                (ctx, input) -> ctx.step(
                        "s",
                        attempts(1),
                        String.class,
                        () -> new Scenario.BadCalls()
                                .add("sleep", () -> Workflow.sleep(MINUTE))
                                .add("step", () -> Workflow.step("inner", () -> {}))
                                .add("now", Workflow::now)
                                .add("uuid", Workflow::randomUuid)
                                .add("info", Workflow::info)
                                .add("version", () -> Workflow.version("v", 1, 2))
                                .add("continue", () -> Workflow.continueAsNew("x"))
                                .add("transaction", () -> Workflow.transaction("t", c -> {}))
                                .add("signal", () -> Workflow.signal("x", "y"))
                                .add("ctx step", () -> ctx.step("inner", () -> {}))
                                .add("ctx sleep", () -> ctx.sleep(MINUTE))
                                .add("ctx now", ctx::now)
                                .add("ctx uuid", ctx::randomUuid)
                                .add("ctx async", () -> ctx.async(() -> ""))
                                .add("ctx timer", () -> ctx.newTimer(MINUTE))
                                .add("ctx signal", () -> ctx.signal("x", "y"))
                                .add("ctx version", () -> ctx.version("v", 1, 2))
                                .add("ctx continue", () -> ctx.continueAsNew("x"))
                                .unclear()));
    }

    @Test
    void stepsInConditionsAndQueriesAreRefused() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Box.class, () -> new Box.Open() {
                @Override
                public String run(String input) {
                    String refused = outcome(() -> Workflow.await(MINUTE, () -> {
                        Workflow.step("in a condition", () -> sim.log("stepped"));
                        return true;
                    }));
                    seen.add(refused);
                    return super.run(input);
                }

                @Override
                public String look(String at) {
                    return Workflow.step("in a query", String.class, () -> "stepped");
                }
            }));
            Box box = dormouse.workflow(Box.class, "w");
            WorkflowHandle<String> handle = dormouse.start(() -> box.run(""));
            sim.advance(Duration.ofSeconds(5));
            assertThat(outcome(() -> box.look("x"))).isNotEqualTo("accepted").doesNotContain("Exception");
            box.end();
            assertThat(sim.result(handle)).isNotEqualTo("accepted").doesNotContain("Exception");
            assertThat(sim.count("stepped")).isZero();
        });
    }

    @Test
    void threadsOfAnActivitysOwnAreNotTheActivity() throws InterruptedException {
        List<String> outcomes = new ArrayList<>();
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                ctx.step("s", () -> {
                    Thread own = new Thread(() -> {
                        outcomes.add(outcome(Activity::heartbeat));
                        outcomes.add(outcome(() -> Workflow.step("x", () -> {})));
                    });
                    own.start();
                    own.join();
                });
                return "";
            });
            sim.result(Scenario.start(dormouse));
        });
        assertThat(new HashSet<>(outcomes)).containsExactlyInAnyOrder("OUTSIDE_ACTIVITY", "OUTSIDE_WORKFLOW");
    }

    @Test
    void stepsWithResultsThatAreTooLargeFailOnceAndForGood() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("s", ActivityOptions.DEFAULT, String.class, () -> {
                        sim.log("attempt");
                        return "x".repeat(3_000_000);
                    }));
            assertThat(sim.failure(Scenario.start(dormouse))).hasMessageContaining("DM1004");
            assertThat(sim.count("attempt")).isEqualTo(1);
        });
    }
}
