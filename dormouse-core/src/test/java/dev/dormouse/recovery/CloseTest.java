package dev.dormouse.recovery;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Nodes that close: their runs continue elsewhere at once, and no step is repeated unnecessarily. */
class CloseTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Opens a node with a workflow of ten steps. */
    private static Dormouse open(SimulatedDormouse sim, Duration step, Duration sleep) {
        return sim.open(node -> SimulatedDormouse.echo(node)
                .leasePeriod(MINUTE)
                .workflow("steps", String.class, String.class, (ctx, id) -> {
                    for (int i = 0; i < 10; i++) {
                        String name = id + i;
                        ctx.step(name, () -> {
                            sim.log(name);
                            sim.advance(step);
                        });
                        ctx.sleep(sleep);
                    }
                    return "done";
                }));
    }

    @Test
    void anotherNodeContinuesAtOnceBetweenTwoStepsAndNoStepRunsTwice() {
        simulate(sim -> {
            Dormouse one = open(sim, SECOND, Duration.ZERO);
            Dormouse two = open(sim, SECOND, Duration.ZERO);
            for (int i = 0; i < 5; i++) {
                one.start("steps", "w" + i, String.class, "w" + i + "-");
            }
            sim.advance(Duration.ofMillis(3_500));
            one.close();
            for (int i = 0; i < 5; i++) {
                assertThat(sim.result(two.find("w" + i, String.class).orElseThrow()))
                        .isEqualTo("done");
            }
            assertThat(sim.log()).hasSize(50).doesNotHaveDuplicates();
            assertThat(sim.elapsed()).isLessThan(Duration.ofSeconds(13));
        });
    }

    @Test
    void anotherNodeContinuesAtOnceWhenAStepIsLongerThanTheTimeToClose() {
        simulate(sim -> {
            Dormouse one = open(sim, MINUTE, Duration.ZERO);
            Dormouse two = open(sim, MINUTE, Duration.ZERO);
            one.start("steps", "w", String.class, "");
            sim.advance(SECOND);
            Duration closing = sim.elapsed();
            one.close();
            assertThat(sim.elapsed().minus(closing)).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(12));
            sim.advance(SECOND);
            assertThat(sim.log()).containsExactly("0", "0");
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("done");
            assertThat(sim.log()).containsExactly("0", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
        });
    }

    @Test
    void idleNodeClosesAtOnce() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, SECOND, SECOND);
            sim.assertStillWorks(dormouse);
            Duration closing = sim.elapsed();
            dormouse.close();
            assertThat(sim.elapsed().minus(closing)).isLessThan(SECOND);
        });
    }

    @Test
    void nodeWithSleepersOnlyClosesAtOnceAndTheyWakeOnTimeElsewhere() {
        simulate(sim -> {
            Dormouse one = open(sim, Duration.ZERO, MINUTE.multipliedBy(5));
            one.start("steps", "w", String.class, "");
            sim.advance(MINUTE);
            Dormouse two = open(sim, Duration.ZERO, MINUTE.multipliedBy(5));
            Duration closing = sim.elapsed();
            one.close();
            assertThat(sim.elapsed().minus(closing)).isLessThan(SECOND);
            sim.await("the second step", () -> sim.log().size() == 2);
            assertThat(sim.elapsed())
                    .isBetween(MINUTE.multipliedBy(5), MINUTE.multipliedBy(5).plusSeconds(3));
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("done");
        });
    }

    @Test
    void nodeWithParkedRunsClosesAtOnceAndTheyWakeOnTimeElsewhere() {
        simulate(sim -> {
            Dormouse one = open(sim, Duration.ZERO, Duration.ofSeconds(4));
            Dormouse two = open(sim, Duration.ZERO, Duration.ofSeconds(4));
            WorkflowHandle<String> handle = one.start("steps", "w", String.class, "");
            sim.awaitStatus(handle, RunStatus.PARKED);
            Duration closing = sim.elapsed();
            one.close();
            assertThat(sim.elapsed().minus(closing)).isLessThan(SECOND);
            sim.await("the second step", () -> sim.log().size() == 2);
            assertThat(sim.elapsed()).isLessThan(Duration.ofSeconds(5));
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("done");
            assertThat(sim.log()).hasSize(10).doesNotHaveDuplicates();
        });
    }

    @Test
    void stepThatEndsWithinTheTimeToCloseIsNotRunAgain() {
        simulate(sim -> {
            Dormouse one = open(sim, Duration.ofSeconds(5), Duration.ZERO);
            one.start("steps", "w", String.class, "");
            sim.advance(SECOND);
            one.close();
            assertThat(sim.elapsed()).isLessThan(Duration.ofSeconds(6));
            assertThat(sim.log()).containsExactly("0");
            Duration opened = sim.elapsed();
            Dormouse two = open(sim, Duration.ofSeconds(5), Duration.ZERO);
            sim.await("the next step", () -> sim.log().size() == 2);
            assertThat(sim.elapsed().minus(opened)).isLessThan(SECOND);
            sim.result(two.find("w", String.class).orElseThrow());
            assertThat(sim.log()).hasSize(10).doesNotHaveDuplicates();
        });
    }

    @Test
    void lateEndOfAStepOfAClosedNodeChangesNothing() {
        simulate(sim -> {
            Dormouse one = open(sim, MINUTE, Duration.ZERO);
            WorkflowHandle<String> handle = one.start("steps", "w", String.class, "");
            sim.advance(SECOND);
            one.close();
            sim.advance(MINUTE.multipliedBy(2));
            Dormouse two = open(sim, SECOND, Duration.ZERO);
            RunDescription before = two.find("w", String.class).orElseThrow().describe();
            assertThat(before.historyLength()).isBetween(1, 4);
            sim.result(two.find("w", String.class).orElseThrow());
            assertThat(two.find("w", String.class).orElseThrow().history())
                    .filteredOn(event -> event.kind().equals("StepCompleted"))
                    .hasSize(10);
            assertThat(handle.workflowId()).isEqualTo("w");
        });
    }

    @Test
    void startsOnTheWayWhileItClosesAreEitherRefusedOrExecuted() {
        simulate(sim -> {
            Dormouse one = open(sim, Duration.ZERO, Duration.ZERO);
            Dormouse two = open(sim, Duration.ZERO, Duration.ZERO);
            int[] count = {0, 0};
            for (int i = 0; i < 40; i++) {
                String id = "w" + i;
                sim.inBackground(() -> {
                    sim.advance(Duration.ofMillis(id.hashCode() % 10 + 1));
                    try {
                        one.start("steps", id, String.class, id + "-");
                        count[0]++;
                    } catch (dev.dormouse.error.DormouseException closed) {
                        count[1]++;
                    }
                });
            }
            sim.advance(Duration.ofMillis(5));
            one.close();
            sim.await("all starts", () -> count[0] + count[1] == 40);
            Duration closed = sim.elapsed();
            sim.await(
                    "all to be done",
                    () -> two.list(ListOptions.ALL).runs().stream()
                            .allMatch(run -> run.status() == RunStatus.COMPLETED));
            assertThat(two.list(ListOptions.ALL).runs()).hasSizeGreaterThanOrEqualTo(count[0]);
            assertThat(sim.elapsed().minus(closed)).isLessThan(Duration.ofSeconds(5));
        });
    }

    @Test
    void closingManyTimesAndFromManyThreadsIsHarmless() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, SECOND, SECOND);
            dormouse.start("steps", "w", String.class, "");
            int[] closed = {0};
            for (int i = 0; i < 5; i++) {
                sim.inBackground(() -> {
                    dormouse.close();
                    closed[0]++;
                });
            }
            sim.await("all to return", () -> closed[0] == 5);
            dormouse.close();
            Dormouse other = open(sim, SECOND, SECOND);
            sim.result(other.find("w", String.class).orElseThrow());
            assertThat(sim.log()).hasSize(10).doesNotHaveDuplicates();
        });
    }

    @Test
    void runsWhoseLastCommitIsOnItsWayAreGivenUpAllTheSame() {
        FaultProfile slow = FaultProfile.CALM.withLatency(Duration.ofMillis(300));
        simulate(sim -> {
            Dormouse one = sim.open(slow, node -> busy(sim, node).closeGrace(Duration.ZERO));
            Dormouse two = sim.open(node -> busy(sim, node));
            for (int i = 0; i < 20; i++) {
                int number = i;
                sim.inBackground(() -> one.start("busy", "w" + number, String.class, ""));
                sim.advance(Duration.ofMillis(70));
            }
            one.close();
            sim.advance(SECOND);
            for (int i = 0; i < 20; i++) {
                two.find("w" + i, String.class)
                        .ifPresent(run -> assertThat(sim.result(run)).isEqualTo("done"));
            }
            assertThat(sim.elapsed()).isLessThan(MINUTE);
        });
    }

    private static DormouseBuilder busy(SimulatedDormouse sim, DormouseBuilder node) {
        return node.leasePeriod(MINUTE).workflow("busy", String.class, String.class, (ctx, id) -> {
            for (int i = 0; i < 10; i++) {
                ctx.step("s" + i, () -> sim.advance(Duration.ofMillis(1)));
            }
            return "done";
        });
    }
}
