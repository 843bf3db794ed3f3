package dev.dormouse.timer;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.DebouncedTimer;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** Debounced timers, which fire after a quiet period. */
class DebouncedTimerTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @WorkflowInterface
    interface Edits {
        @WorkflowMethod
        String run(int rounds);

        @SignalMethod
        void edited(String text);

        @QueryMethod
        Instant endsAt();
    }

    static final class EditsWorkflow implements Edits {
        private final DebouncedTimer<String> edits;

        EditsWorkflow(Duration quiet, Duration limit) {
            edits = Workflow.newDebouncedTimer(quiet, limit);
        }

        @Override
        public String run(int rounds) {
            Instant begin = Workflow.info().startedAt();
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < rounds; i++) {
                List<String> all = edits.awaitAll();
                text.append(all)
                        .append('@')
                        .append(Duration.between(begin, Workflow.now().plusMillis(500))
                                .toSeconds());
            }
            return text.toString();
        }

        @Override
        public void edited(String text) {
            edits.touch(text);
        }

        @Override
        public Instant endsAt() {
            return edits.endsAt();
        }
    }

    private static void scenario(
            long quiet, long limit, BiFunction<SimulatedDormouse, Dormouse, String> scenario, String expected) {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(
                    Edits.class, () -> new EditsWorkflow(Duration.ofSeconds(quiet), Duration.ofSeconds(limit))));
            assertThat(scenario.apply(sim, dormouse)).isEqualTo(expected);
        });
    }

    private static void touch(SimulatedDormouse sim, Edits edits, long... seconds) {
        for (long second : seconds) {
            sim.advance(Duration.ofSeconds(second).minus(sim.elapsed()));
            edits.edited("e" + second);
        }
    }

    @Test
    void eachTouchPushesTheEndByTheQuietPeriod() {
        for (long unit : List.of(1, 20)) {
            scenario(
                    3 * unit,
                    100 * unit,
                    (sim, dormouse) -> {
                        Edits edits = dormouse.workflow(Edits.class, "w");
                        WorkflowHandle<String> handle = dormouse.start(() -> edits.run(1));
                        touch(sim, edits, 10, 10 + 2 * unit, 10 + 4 * unit);
                        return sim.result(handle);
                    },
                    "[e10, e" + (10 + 2 * unit) + ", e" + (10 + 4 * unit) + "]@" + (10 + 7 * unit));
        }
    }

    @Test
    void hardLimitIsReachedWithoutAnotherEvent() {
        scenario(
                60,
                100,
                (sim, dormouse) -> {
                    Edits edits = dormouse.workflow(Edits.class, "w");
                    WorkflowHandle<String> handle = dormouse.start(() -> edits.run(1));
                    touch(sim, edits, 10, 50, 90);
                    sim.advance(SECOND);
                    assertThat(Duration.between(handle.describe().startedAt(), edits.endsAt())
                                    .plusMillis(500)
                                    .toSeconds())
                            .isEqualTo(110);
                    return sim.result(handle);
                },
                "[e10, e50, e90]@110");
    }

    @Test
    void secondRoundBeginsWithItsOwnFirstTouch() {
        scenario(
                20,
                30,
                (sim, dormouse) -> {
                    Edits edits = dormouse.workflow(Edits.class, "w");
                    WorkflowHandle<String> handle = dormouse.start(() -> edits.run(3));
                    touch(sim, edits, 10, 25, 38, 45, 100);
                    return sim.result(handle);
                },
                "[e10, e25, e38]@40[e45]@65[e100]@120");
    }

    @Test
    void touchesWhileAllNodesAreDownCountByTheMomentTheyWereAccepted() {
        simulate(sim -> {
            Dormouse one = open(sim);
            one.start(() -> one.workflow(Edits.class, "w").run(2));
            sim.advance(SECOND);
            sim.kill(one);
            Dormouse client = sim.open(node -> node.remoteWorkflow(Edits.class));
            touch(sim, client.workflow(Edits.class, "w"), 10, 30, 45, 100, 110);
            sim.advance(Duration.ofMinutes(10));
            Dormouse two = open(sim);
            String result = sim.result(two.find("w", String.class).orElseThrow());
            assertThat(result.replaceAll("@\\d+", "")).isEqualTo("[e10, e30, e45][e100, e110]");
        });
    }

    private static Dormouse open(SimulatedDormouse sim) {
        return sim.open(node ->
                node.workflow(Edits.class, () -> new EditsWorkflow(Duration.ofSeconds(30), Duration.ofSeconds(100))));
    }

    @Test
    void touchesSurviveADeadNodeAtAnyMoment() {
        for (long kill : List.of(9, 10, 11, 19, 29, 31, 40, 59, 61)) {
            simulate(sim -> {
                Dormouse one = open(sim);
                one.start(() -> one.workflow(Edits.class, "w").run(1));
                Dormouse client = sim.open(node -> node.remoteWorkflow(Edits.class));
                Edits edits = client.workflow(Edits.class, "w");
                Dormouse two = null;
                for (long second = 1; second <= 62; second++) {
                    sim.advance(Duration.ofSeconds(second).minus(sim.elapsed()));
                    if (second == kill) {
                        sim.kill(one);
                        two = open(sim);
                    }
                    if (second % 10 == 0 && second <= 30) {
                        edits.edited("e" + second);
                    }
                }
                String result = sim.result(two.find("w", String.class).orElseThrow());
                assertThat(result).matches("\\[e10, e20, e30]@(60|6[1-9]|7\\d)");
            });
        }
    }

    @Test
    void touchBeforeTheFirstLineCounts() {
        simulate(sim -> {
            Dormouse client = sim.open(node -> node.remoteWorkflow(Edits.class));
            Edits edits = client.workflow(Edits.class, "w");
            client.signalWithStart(() -> edits.run(1), () -> edits.edited("first"));
            Dormouse dormouse = open(sim);
            assertThat(sim.result(dormouse.find("w", String.class).orElseThrow()))
                    .startsWith("[first]@");
        });
    }

    @Test
    void touchesByTheCodeItself() {
        Scenario.returnsWhenKilled("c", Duration.ofSeconds(20), sim -> (ctx, input) -> {
            DebouncedTimer<String> timer = ctx.newDebouncedTimer(Duration.ofSeconds(10), Duration.ofHours(1));
            assertThat(timer.endsAt()).isNull();
            timer.touch("a");
            timer.touch("b");
            assertThat(timer.endsAt()).isEqualTo(ctx.now().plusSeconds(10));
            timer.touch("c");
            return timer.awaitLast();
        });
    }

    @Test
    void valuesThatAreNullAndADurationOfZeroAreFine() {
        Scenario.returns("[null, x]", sim -> (ctx, input) -> {
            DebouncedTimer<String> timer = ctx.newDebouncedTimer(Duration.ZERO, Duration.ZERO);
            timer.touch(null);
            timer.touch("x");
            return timer.awaitAll().toString();
        });
    }

    @Test
    void twoCoroutinesThatWaitOnOneAreRefusedOrBothServedButNeverHangTheRun() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(sim, (ctx, input) -> {
                DebouncedTimer<String> timer = ctx.newDebouncedTimer(Duration.ofSeconds(10), Duration.ofHours(1));
                List<Promise<String>> both = new ArrayList<>();
                for (int i = 0; i < 2; i++) {
                    both.add(ctx.async(timer::awaitLast));
                }
                ctx.sleep(SECOND);
                timer.touch("a");
                ctx.sleep(Duration.ofSeconds(30));
                StringBuilder text = new StringBuilder();
                for (Promise<String> one : both) {
                    try {
                        text.append(one.get(Duration.ofMinutes(1)));
                    } catch (RuntimeException problem) {
                        text.append(problem.getMessage().matches("(?s)\\[DM\\d{4}].*") ? "!" : problem.toString());
                    }
                }
                return text.toString();
            });
            assertThat(sim.result(Scenario.start(dormouse))).isIn("aa", "a!", "!a");
        });
    }

    @Test
    void badDurationsAreRefusedClearly() {
        simulate(sim -> {
            Duration huge = Duration.ofSeconds(Long.MAX_VALUE);
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> new Scenario.BadCalls()
                            .add("negative", () -> ctx.newDebouncedTimer(SECOND.negated(), SECOND))
                            .add("limit below quiet", () -> ctx.newDebouncedTimer(SECOND.multipliedBy(2), SECOND))
                            .add("huge", () -> ctx.newDebouncedTimer(huge, huge).touch("x"))
                            .unclear());
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            assertThat(sim.result(handle)).isEmpty();
            assertThat(handle.describe().status()).isEqualTo(RunStatus.COMPLETED);
        });
    }

    @Test
    void hugeLimitIsRefusedByTheConstructorAndNotByTheFirstTouch() {
        simulate(sim -> {
            Duration huge = Duration.ofSeconds(Long.MAX_VALUE);
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> new Scenario.BadCalls()
                            .add("huge", () -> ctx.newDebouncedTimer(SECOND, huge))
                            .unclear());
            assertThat(sim.result(Scenario.start(dormouse))).isEmpty();
        });
    }

    @Test
    void roundThatIsCancelledKeepsItsValuesForTheNext() {
        Scenario.returns("[a, b]", sim -> (ctx, input) -> {
            DebouncedTimer<String> timer = ctx.newDebouncedTimer(Duration.ofSeconds(10), Duration.ofMinutes(1));
            timer.touch("a");
            Promise<List<String>> first = ctx.async(timer::awaitAll);
            ctx.sleep(SECOND);
            first.cancel();
            timer.touch("b");
            return timer.awaitAll().toString();
        });
    }

    @Test
    void thousandTouchesAreOneRoundAndNoTimersInTheHistory() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Edits edits = dormouse.workflow(Edits.class, "w");
            WorkflowHandle<String> handle = dormouse.start(() -> edits.run(1));
            for (int i = 0; i < 500; i++) {
                edits.edited("e" + i);
            }
            assertThat(sim.result(handle)).startsWith("[e0, e1,").contains("e499]@");
            assertThat(Scenario.kinds(handle)).doesNotContain("TimerScheduled").hasSizeLessThan(510);
        });
    }
}
