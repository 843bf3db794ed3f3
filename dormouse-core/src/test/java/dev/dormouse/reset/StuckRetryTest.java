package dev.dormouse.reset;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Immediate retries of stuck runs. */
class StuckRetryTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private static WorkflowHandle<String> latest(Dormouse dormouse) {
        return dormouse.find("w", String.class).orElseThrow();
    }

    private static WorkflowFunction<String, String> sleepsThen(SimulatedDormouse sim, String step) {
        return (ctx, input) -> {
            ctx.step(step, () -> sim.log(step));
            ctx.sleep(HOUR);
            return "done";
        };
    }

    @Test
    void stuckRunIsTriedNowAndStaysTheSame() {
        simulate(sim -> {
            Dormouse old =
                    sim.open(node -> Scenario.with(node, sleepsThen(sim, "old")).buildId("1"));
            Scenario.start(old);
            sim.advance(MINUTE);
            old.close();
            Dormouse wrong = sim.open(node -> Scenario.with(
                            node,
                            (ctx, input) -> sim.count("mended") == 0
                                    ? sleepsThen(sim, "new").run(ctx, input)
                                    : sleepsThen(sim, "old").run(ctx, input))
                    .buildId("2"));
            WorkflowHandle<String> handle = latest(wrong);
            sim.awaitStatus(handle, RunStatus.STUCK);
            assertThat(handle.describe().trouble()).contains("step 'old' completed");
            sim.advance(Duration.ofDays(1));
            Duration before = sim.elapsed();
            assertThat(handle.retry()).isSameAs(handle);
            sim.advance(SECOND);
            sim.awaitStatus(handle, RunStatus.STUCK);
            sim.log("mended");
            assertThat(handle.retry()).isSameAs(handle);
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(sim.elapsed().minus(before)).isLessThan(MINUTE);
            assertThat(sim.log()).containsExactly("old", "mended");
            sim.assertStillWorks(wrong);
        });
    }

    @Test
    void stuckRunCanBeResetToBeforeTheChange() {
        simulate(sim -> {
            Dormouse old =
                    sim.open(node -> Scenario.with(node, sleepsThen(sim, "old")).buildId("1"));
            Scenario.start(old);
            sim.advance(MINUTE);
            old.close();
            Dormouse changed =
                    sim.open(node -> Scenario.with(node, sleepsThen(sim, "new")).buildId("2"));
            WorkflowHandle<String> stuck = latest(changed);
            sim.awaitStatus(stuck, RunStatus.STUCK);
            assertThat(sim.result(stuck.reset(1))).isEqualTo("done");
            assertThat(sim.log()).containsExactly("old", "new");
            assertThat(stuck.describe().status()).isEqualTo(RunStatus.TERMINATED);
        });
    }

    @Test
    void runThatKilledItsNodesTooOftenIsTriedOnceMore() {
        simulate(sim -> {
            UnaryOperator<DormouseBuilder> setUp = node -> Scenario.with(node, (ctx, input) -> {
                        ctx.step("deadly", () -> {
                            sim.log("deadly");
                            sim.advance(sim.count("mended") == 0 ? HOUR : SECOND);
                        });
                        return "done";
                    })
                    .maxTakeovers(1);
            Dormouse node = sim.open(setUp);
            Scenario.start(node);
            for (int deaths = 1; deaths <= 2; deaths++) {
                node = dies(sim, node, deaths, setUp);
            }
            sim.awaitStatus(latest(node), RunStatus.STUCK);
            assertThat(latest(node).describe().trouble()).contains(ErrorCode.TOO_MANY_TAKEOVERS.label());
            Duration before = sim.elapsed();
            latest(node).retry();
            node = dies(sim, node, 3, setUp);
            assertThat(sim.elapsed().minus(before)).isLessThan(SECOND);
            sim.awaitStatus(latest(node), RunStatus.STUCK);
            sim.log("mended");
            assertThat(sim.result(latest(node).retry())).isEqualTo("done");
            assertThat(sim.count("deadly")).isEqualTo(4);
        });
    }

    private static Dormouse dies(
            SimulatedDormouse sim, Dormouse node, int deaths, UnaryOperator<DormouseBuilder> setUp) {
        sim.await("the run to execute", () -> sim.count("deadly") == deaths);
        sim.kill(node);
        return sim.open(setUp);
    }
}
