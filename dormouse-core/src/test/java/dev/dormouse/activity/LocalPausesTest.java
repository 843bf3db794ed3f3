package dev.dormouse.activity;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.RetryPolicy;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Paused activities whose node closes, stands still, is full, or whose store clock jumps. */
class LocalPausesTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private static WorkflowFunction<String, String> pausing(SimulatedDormouse sim, String node, Duration time) {
        return (ctx, input) -> ctx.step("poll", ActivityOptions.DEFAULT, String.class, () -> {
            sim.log(node);
            if (Activity.lastCheckpoint(Integer.class).isEmpty()) {
                Activity.checkpoint(1);
                return Activity.pause("not ready", time);
            }
            return "ready";
        });
    }

    private static Duration lasted(WorkflowHandle<?> handle) {
        RunDescription run = handle.describe();
        return Duration.between(run.startedAt(), run.closedAt().orElseThrow());
    }

    @Test
    void nodeThatClosesShortlyBeforeAPauseEndsLeavesItToOtherNodesOnTime() {
        List<String> late = new ArrayList<>();
        for (int before = 300; before >= 0; before -= 10) {
            int millis = before;
            simulate(sim -> {
                Dormouse one = Scenario.open(sim, pausing(sim, "a", Duration.ofSeconds(30)));
                Dormouse two = Scenario.open(sim, pausing(sim, "b", Duration.ofSeconds(30)));
                sim.advance(Duration.ofSeconds(3));
                WorkflowHandle<String> handle = Scenario.start(one);
                sim.await("the pause", () -> handle.describe().status() == RunStatus.WAITING);
                sim.advance(Duration.between(
                        sim.now(), handle.describe().startedAt().plusSeconds(30).minusMillis(millis)));
                one.close();
                WorkflowHandle<String> there = two.find("w", String.class).orElseThrow();
                assertThat(sim.result(there)).isEqualTo("ready");
                if (lasted(there).compareTo(Duration.ofSeconds(31)) > 0) {
                    late.add("closed " + millis + " ms before: " + lasted(there));
                }
            });
        }
        assertThat(late).isEmpty();
    }

    @Test
    void stuckRunIsLeftAloneByANodeThatWasAway() {
        simulate(sim -> {
            Dormouse one = Scenario.open(sim, pausing(sim, "a", Duration.ofSeconds(30)));
            WorkflowHandle<String> handle = Scenario.start(one);
            sim.await("the pause", () -> handle.describe().status() == RunStatus.WAITING);
            sim.advance(Duration.ofSeconds(10));
            sim.pause(one);
            sim.store().damage(handle.runId(), rows -> List.of());
            Dormouse two = Scenario.open(sim, pausing(sim, "b", Duration.ofSeconds(30)));
            WorkflowHandle<String> there = two.find("w", String.class).orElseThrow();
            sim.awaitStatus(there, RunStatus.STUCK);
            var alarm = there.describe().wakeAt();
            sim.resume(one);
            List<RunStatus> seen = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                sim.advance(Duration.ofMillis(10));
                sim.store().run(0, handle.runId()).ifPresent(row -> seen.add(row.status()));
            }
            assertThat(seen).containsOnly(RunStatus.STUCK);
            assertThat(there.describe().wakeAt()).isEqualTo(alarm);
        });
    }

    /** Two pauses, a retry and a timer: each is on time, even if the node is killed. */
    @Test
    void severalWaitsOfOneRunAreAllOnTime() {
        for (int killed : new int[] {0, 5, 9, 11, 13, 16}) {
            simulate(sim -> {
                WorkflowFunction<String, String> code = (ctx, input) -> {
                    Promise<String> first = ctx.async(() -> poll(sim, ctx, "p10", Duration.ofSeconds(10)));
                    Promise<String> second = ctx.async(() -> poll(sim, ctx, "p12", Duration.ofSeconds(12)));
                    Promise<String> retried = ctx.async(() -> ctx.step(
                            "r",
                            ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT
                                    .withInitialInterval(Duration.ofSeconds(13))
                                    .withJitter(0)),
                            String.class,
                            () -> {
                                if (Activity.info().attempt() == 1) {
                                    throw new IllegalStateException("once more");
                                }
                                sim.log("r13 at " + sim.elapsed().toSeconds());
                                return "";
                            }));
                    ctx.sleep(Duration.ofSeconds(16));
                    sim.log("t16 at " + sim.elapsed().toSeconds());
                    first.get();
                    second.get();
                    retried.get();
                    return "done";
                };
                Dormouse one = sim.open(node ->
                        Scenario.with(node, code).maxParkTime(Duration.ZERO).sweepInterval(Duration.ofSeconds(1)));
                Dormouse two = sim.open(node ->
                        Scenario.with(node, code).maxParkTime(Duration.ZERO).sweepInterval(Duration.ofSeconds(1)));
                Scenario.start(one);
                sim.advance(Duration.ofSeconds(killed).plusMillis(700));
                if (killed > 0) {
                    sim.kill(one);
                }
                assertThat(sim.result(two.find("w", String.class).orElseThrow()))
                        .isEqualTo("done");
                for (String line : sim.log()) {
                    long due = Long.parseLong(line.replaceAll("^.(\\d+) at.*", "$1"));
                    long at = Long.parseLong(line.replaceAll(".* at (\\d+)$", "$1"));
                    long grace = killed > 0 && line.startsWith("p") ? 7 : 1;
                    assertThat(at).as(line + ", killed after " + killed).isBetween(due, due + grace);
                }
            });
        }
    }

    private static String poll(SimulatedDormouse sim, WorkflowContext ctx, String name, Duration time) {
        return ctx.step(name, ActivityOptions.DEFAULT, String.class, () -> {
            if (Activity.lastCheckpoint(Integer.class).isEmpty()) {
                Activity.checkpoint(1);
                return Activity.pause("not ready", time);
            }
            sim.log(name + " at " + sim.elapsed().toSeconds());
            return "ready";
        });
    }

    @Test
    void clockThatJumpsNeitherLosesNorHurriesAPause() {
        for (Duration by : List.of(Duration.ofMinutes(-10), Duration.ofSeconds(-20), Duration.ofMinutes(30))) {
            simulate(sim -> {
                Dormouse one = Scenario.open(sim, pausing(sim, "a", HOUR));
                Scenario.open(sim, pausing(sim, "b", HOUR));
                WorkflowHandle<String> handle = Scenario.start(one);
                sim.advance(Duration.ofMinutes(10));
                sim.stepClock(by);
                assertThat(sim.result(handle)).isEqualTo("ready");
                assertThat(lasted(handle)).isBetween(HOUR, HOUR.plusSeconds(12));
            });
        }
    }

    /** The node has no free slot when the pause ends, but another node has one. */
    @Test
    void fullNodeLeavesAnEndedPauseToOtherNodes() {
        simulate(sim -> {
            WorkflowFunction<String, String> busy = (ctx, input) -> ctx.step("busy", String.class, () -> {
                sim.advance(Duration.ofMinutes(5));
                return "";
            });
            Dormouse one = sim.open(node -> Scenario.with(node, pausing(sim, "a", Duration.ofSeconds(30)))
                    .workflow("busy", String.class, String.class, busy)
                    .maxExecuting(4));
            Dormouse two = Scenario.open(sim, pausing(sim, "b", Duration.ofSeconds(30)));
            Scenario.start(one);
            sim.advance(Duration.ofSeconds(5));
            for (int i = 0; i < 4; i++) {
                one.start("busy", "busy" + i, String.class, "");
            }
            WorkflowHandle<String> there = two.find("w", String.class).orElseThrow();
            assertThat(sim.result(there)).isEqualTo("ready");
            assertThat(lasted(there)).isLessThan(Duration.ofSeconds(32));
        });
    }
}
