package dev.dormouse.reset;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.Signal;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Concurrent and repeated resets, and resets by nodes that die. */
class ResetRaceTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static UnaryOperator<DormouseBuilder> setUp(SimulatedDormouse sim) {
        return node -> Scenario.with(node, (ctx, input) -> {
            ctx.step("a", () -> sim.log("a"));
            ctx.step("b", () -> {
                sim.log("b");
                if (sim.count("mended") == 0) {
                    throw new IllegalStateException("b is broken");
                }
            });
            ctx.sleep(SECOND);
            return ctx.waitForSignal(MINUTE).map(Signal::name).orElse("none");
        });
    }

    private static WorkflowHandle<String> latest(Dormouse dormouse) {
        return dormouse.find("w", String.class).orElseThrow();
    }

    private static List<RunDescription> runs(Dormouse dormouse) {
        return dormouse.list(ListOptions.ALL.withType("w")).runs();
    }

    @Test
    void concurrentRetriesStartOneRun() {
        simulate(sim -> {
            List<Dormouse> nodes = List.of(sim.open(setUp(sim)), sim.open(setUp(sim)), sim.open(setUp(sim)));
            sim.failure(Scenario.start(nodes.get(0)));
            sim.log("mended");
            List<UUID> got = new ArrayList<>();
            List<WorkflowHandle<String>> handles =
                    nodes.stream().map(ResetRaceTest::latest).toList();
            for (int i = 0; i < 12; i++) {
                WorkflowHandle<String> handle = handles.get(i % 3);
                sim.inBackground(() -> got.add(handle.retry().runId()));
            }
            sim.await("all answers", () -> got.size() == 12);
            assertThat(new HashSet<>(got)).containsExactly(latest(nodes.get(0)).runId());
            latest(nodes.get(0)).signal("go");
            assertThat(sim.result(latest(nodes.get(1)))).isEqualTo("go");
            assertThat(runs(nodes.get(2))).hasSize(2);
            assertThat(sim.log()).containsExactly("a", "b", "mended", "b");
        });
    }

    @Test
    void oneOfSeveralResetsToDifferentPointsWinsAndTheOthersAreRefused() {
        simulate(sim -> {
            List<Dormouse> nodes = List.of(sim.open(setUp(sim)), sim.open(setUp(sim)));
            sim.log("mended");
            Scenario.start(nodes.get(0));
            sim.await("its steps", () -> sim.count("b") == 1);
            List<Object> got = new ArrayList<>();
            List<WorkflowHandle<String>> handles =
                    nodes.stream().map(ResetRaceTest::latest).toList();
            for (int i = 0; i < 12; i++) {
                WorkflowHandle<String> handle = handles.get(i % 2);
                int events = 1 + i % 3;
                sim.inBackground(() -> {
                    try {
                        got.add(handle.reset(events).runId());
                    } catch (DormouseException refused) {
                        got.add(refused.code());
                    }
                });
            }
            sim.await("all answers", () -> got.size() == 12);
            UUID winner = latest(nodes.get(0)).runId();
            assertThat(new HashSet<>(got)).isEqualTo(Set.of(winner, ErrorCode.RUN_REPLACED));
            assertThat(got.stream().filter(winner::equals)).hasSize(4);
            assertThat(sim.result(latest(nodes.get(1)))).isEqualTo("none");
            assertThat(runs(nodes.get(0))).hasSize(2);
        });
    }

    @Test
    void repeatedRequestReturnsTheSameRunEvenWhenItHasEnded() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(setUp(sim));
            WorkflowHandle<String> old = Scenario.start(dormouse);
            sim.failure(old);
            WorkflowHandle<String> next = old.retry();
            assertThat(old.retry().runId()).isEqualTo(next.runId());
            sim.failure(next);
            assertThat(old.retry().runId()).isEqualTo(next.runId());
            assertThat(old.reset(2).runId()).isEqualTo(next.runId());
            sim.log("mended");
            WorkflowHandle<String> last = next.retry();
            assertThat(sim.result(last)).isEqualTo("none");
            assertThat(old.retry().runId()).isEqualTo(next.runId());
            assertThat(next.retry().runId()).isEqualTo(last.runId());
            assertThat(runs(dormouse)).hasSize(3);
        });
    }

    @Test
    void nodeDiesAtAnyMomentOfAResetAndAskingAgainWorks() {
        for (int micros = 0; micros < 40_000; micros += 1_500) {
            Duration moment = Duration.ofNanos(micros * 1_000L);
            simulate(sim -> {
                Dormouse one = sim.open(setUp(sim));
                sim.log("mended");
                Scenario.start(one);
                sim.awaitStatus(latest(one), RunStatus.WAITING);
                Dormouse caller = sim.open(setUp(sim));
                WorkflowHandle<String> old = latest(caller);
                old.signal("kept");
                AtomicReference<UUID> got = new AtomicReference<>();
                sim.inBackground(() -> {
                    try {
                        got.set(old.reset(2).runId());
                    } catch (DormouseException killed) {
                        sim.log("killed");
                    }
                });
                sim.advance(moment);
                sim.kill(caller);
                WorkflowHandle<String> again = latest(one);
                WorkflowHandle<String> next = again.runId().equals(old.runId()) ? again.reset(2) : again;
                assertThat(sim.result(next)).as("killed after " + moment).isEqualTo("kept");
                assertThat(got.get()).isIn(null, next.runId());
                assertThat(runs(one)).hasSize(2);
                assertThat(sim.count("a")).isEqualTo(1);
                sim.assertStillWorks(one);
            });
        }
    }

    @Test
    void newRunSurvivesTheDeathOfItsNodeAtAnyMoment() {
        for (int millis : new int[] {0, 1, 2, 3, 5, 8, 13, 20, 40, 100, 900, 1_010, 1_030, 1_100}) {
            simulate(sim -> {
                Dormouse one = sim.open(setUp(sim));
                WorkflowHandle<String> old = Scenario.start(one);
                sim.failure(old);
                sim.log("mended");
                old.retry().signal("kept");
                sim.advance(Duration.ofMillis(millis));
                sim.kill(one);
                Dormouse two = sim.open(setUp(sim));
                assertThat(sim.result(latest(two))).as("killed after " + millis).isEqualTo("kept");
                assertThat(sim.count("a")).isEqualTo(1);
            });
        }
    }

    @Test
    void storeThatMisbehavesMakesNoSecondRun() {
        simulate(sim -> {
            Dormouse calm = sim.open(setUp(sim));
            FaultProfile bad = FaultProfile.CALM.withUnknown(0.2).withLocked(0.2);
            Dormouse one = atLast(sim, () -> sim.open(bad, setUp(sim)));
            Dormouse two = atLast(sim, () -> sim.open(bad, setUp(sim)));
            sim.log("mended");
            Scenario.start(calm);
            sim.awaitStatus(latest(calm), RunStatus.WAITING);
            List<WorkflowHandle<String>> handles =
                    List.of(atLast(sim, () -> latest(one)), atLast(sim, () -> latest(two)));
            List<UUID> got = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                WorkflowHandle<String> handle = handles.get(i % 2);
                sim.inBackground(() -> got.add(atLast(sim, () -> handle.reset(3).runId())));
            }
            sim.await("all answers", () -> got.size() == 8);
            assertThat(new HashSet<>(got)).containsExactly(latest(calm).runId());
            assertThat(runs(calm)).hasSize(2);
            assertThat(sim.result(latest(calm))).isEqualTo("none");
        });
    }

    private static <T> T atLast(SimulatedDormouse sim, Supplier<T> call) {
        for (int tries = 0; tries < 100; tries++) {
            try {
                return call.get();
            } catch (StoreException noAnswer) {
                sim.advance(SECOND);
            }
        }
        throw new AssertionError("Expected the store to answer at last, but it did not.");
    }
}
