package dev.dormouse.queue;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.ActivityOptions;
import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.QueueOptions;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Runs and activities in queues with limits. */
class QueueTest {
    private static final StartOptions IN_QUEUE = StartOptions.DEFAULT.withQueue("q");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** The maximum number of concurrent executions, and the order in which they began. */
    private static final class Gauge {
        private int now;
        private int most;
        private final List<String> order = new ArrayList<>();

        void work(SimulatedDormouse sim, String name, Duration time) {
            order.add(name);
            most = Math.max(most, ++now);
            sim.advance(time);
            now--;
        }
    }

    private static UnaryOperator<DormouseBuilder> node(SimulatedDormouse sim, Gauge gauge, QueueOptions limits) {
        return builder -> SimulatedDormouse.echo(builder)
                .queue("q", limits)
                .workflow("job", String.class, String.class, (ctx, name) -> {
                    ctx.step("work", () -> gauge.work(sim, name, Duration.ofSeconds(10)));
                    return name;
                });
    }

    private static List<WorkflowHandle<String>> start(Dormouse dormouse, int number) {
        List<WorkflowHandle<String>> handles = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            String name = "job-" + (10 + i);
            handles.add(dormouse.start("job", name, IN_QUEUE, String.class, name));
        }
        return handles;
    }

    @Test
    void oneNodeExecutesNoMoreThanItsLimitAndAllAreDone() {
        simulate(sim -> {
            Gauge gauge = new Gauge();
            Dormouse dormouse = sim.open(node(sim, gauge, QueueOptions.DEFAULT.withMaxPerNode(3)));
            List<WorkflowHandle<String>> handles = start(dormouse, 12);
            sim.advance(Duration.ofSeconds(5));
            assertThat(gauge.now).isEqualTo(3);
            assertThat(handles.get(11).describe().status()).isEqualTo(RunStatus.PENDING);
            assertThat(sim.threads("run")).isEqualTo(3);
            handles.forEach(sim::result);
            assertThat(gauge.most).isEqualTo(3);
            assertThat(gauge.order).hasSize(12).doesNotHaveDuplicates();
            assertThat(sim.elapsed()).isLessThan(Duration.ofSeconds(43));
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void allNodesTogetherExecuteNoMoreThanTheTotal() {
        simulate(sim -> {
            Gauge gauge = new Gauge();
            UnaryOperator<DormouseBuilder> code = node(sim, gauge, QueueOptions.DEFAULT.withMaxTotal(5));
            Dormouse one = sim.open(code);
            sim.open(code);
            sim.open(code);
            List<WorkflowHandle<String>> handles = start(one, 30);
            handles.forEach(sim::result);
            assertThat(gauge.most).isEqualTo(5);
            assertThat(gauge.order).hasSize(30);
            assertThat(sim.elapsed()).isLessThan(Duration.ofSeconds(70));
        });
    }

    @Test
    void roomOfADeadNodeIsFreeAgainWhenItsLeasesAreOver() {
        simulate(sim -> {
            Gauge first = new Gauge();
            Gauge gauge = new Gauge();
            Dormouse one = sim.open(node(sim, first, QueueOptions.DEFAULT.withMaxTotal(2)));
            List<WorkflowHandle<String>> handles = start(one, 6);
            sim.advance(Duration.ofSeconds(1));
            assertThat(first.now).isEqualTo(2);
            Dormouse two = sim.open(node(sim, gauge, QueueOptions.DEFAULT.withMaxTotal(2)));
            sim.advance(Duration.ofSeconds(4));
            sim.kill(one);
            sim.await("the other node to go on", () -> gauge.now == 2);
            assertThat(sim.elapsed()).isLessThan(Duration.ofSeconds(22));
            for (WorkflowHandle<String> handle : handles) {
                assertThat(sim.result(
                                two.find(handle.workflowId(), String.class).orElseThrow()))
                        .isEqualTo(handle.workflowId());
            }
            assertThat(gauge.most).isEqualTo(2);
        });
    }

    @Test
    void rateSpreadsTheBeginnings() {
        simulate(sim -> {
            List<Duration> begun = new ArrayList<>();
            Dormouse dormouse =
                    sim.open(builder -> builder.queue("q", QueueOptions.DEFAULT.withRate(10, Duration.ofSeconds(1)))
                            .workflow("job", String.class, String.class, (ctx, name) -> {
                                ctx.step("work", () -> begun.add(sim.elapsed()));
                                return name;
                            }));
            List<WorkflowHandle<String>> handles = start(dormouse, 50);
            handles.forEach(sim::result);
            Duration length = begun.get(49).minus(begun.get(0));
            assertThat(length).isBetween(Duration.ofMillis(4_800), Duration.ofMillis(5_100));
        });
    }

    @Test
    void ratePerKeyDelaysOneKeyAndNotTheOthers() {
        simulate(sim -> {
            List<String> begun = new ArrayList<>();
            Dormouse dormouse = sim.open(builder -> builder.queue("q", QueueOptions.DEFAULT.withRatePerKey(1, MINUTE))
                    .workflow("job", String.class, String.class, (ctx, name) -> {
                        ctx.step(
                                "work",
                                () -> begun.add(name + " " + sim.elapsed().toMinutes()));
                        return name;
                    }));
            List<WorkflowHandle<String>> handles = new ArrayList<>();
            for (String name : List.of("a1", "a2", "a3", "b1", "b2")) {
                StartOptions place = IN_QUEUE.withRateKey(name.substring(0, 1));
                handles.add(dormouse.start("job", name, place, String.class, name));
                sim.advance(Duration.ofMillis(10));
            }
            handles.forEach(sim::result);
            assertThat(begun).containsExactlyInAnyOrder("a1 0", "b1 0", "a2 1", "b2 1", "a3 2");
        });
    }

    @Test
    void runThatItsKeyHeldUpBeginsWhenItMay() {
        simulate(sim -> {
            List<Duration> begun = new ArrayList<>();
            Dormouse dormouse = sim.open(builder -> builder.queue(
                            "q", QueueOptions.DEFAULT.withRatePerKey(1, Duration.ofSeconds(1)))
                    .workflow("job", String.class, String.class, (ctx, name) -> {
                        ctx.step("work", () -> begun.add(sim.elapsed()));
                        return name;
                    }));
            Duration start = sim.elapsed();
            List<WorkflowHandle<String>> handles = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                handles.add(dormouse.start("job", "w" + i, IN_QUEUE.withRateKey("a"), String.class, ""));
            }
            handles.forEach(sim::result);
            for (int i = 0; i < 4; i++) {
                Duration due = start.plusSeconds(i);
                assertThat(begun.get(i)).isBetween(due, due.plusMillis(100));
            }
        });
    }

    @Test
    void queuedRunsBeginOnTimeAlthoughOnlyTheNearestAlarmsAreReadAhead() {
        simulate(sim -> {
            int[] begun = {0};
            UnaryOperator<DormouseBuilder> code = builder -> builder.queue("q", QueueOptions.DEFAULT)
                    .workflow("job", String.class, String.class, (ctx, name) -> {
                        begun[0]++;
                        return name;
                    });
            Dormouse starter =
                    sim.open(builder -> builder.workflow("job", String.class, String.class, (ctx, name) -> "not here"));
            Instant first = sim.now().plus(MINUTE);
            for (int i = 0; i < 1_100; i++) {
                StartOptions later = IN_QUEUE.withStartAt(first.plusMillis(4L * i));
                starter.start("job", "job-" + i, later, String.class, "");
            }
            sim.advance(Duration.between(sim.now(), first.minusSeconds(1)));
            sim.open(code);
            sim.advance(Duration.ofSeconds(6)); // less than a sweep interval
            assertThat(begun[0]).isEqualTo(1_100);
        });
    }

    @Test
    void higherPrioritiesGoFirst() {
        simulate(sim -> {
            Gauge gauge = new Gauge();
            Dormouse dormouse = sim.open(node(sim, gauge, QueueOptions.DEFAULT.withMaxPerNode(1)));
            List<WorkflowHandle<String>> handles = new ArrayList<>();
            for (String name : List.of("first", "low", "high", "highest", "high too")) {
                int priority = name.equals("highest") ? 9 : name.startsWith("high") ? 5 : 0;
                handles.add(dormouse.start("job", name, IN_QUEUE.withPriority(priority), String.class, name));
                sim.advance(Duration.ofMillis(100));
            }
            handles.forEach(sim::result);
            assertThat(gauge.order).containsExactly("first", "highest", "high", "high too", "low");
        });
    }

    @Test
    void runThatSleepsGivesItsRoomUp() {
        simulate(sim -> {
            Gauge gauge = new Gauge();
            Dormouse dormouse = sim.open(builder -> builder.queue("q", QueueOptions.DEFAULT.withMaxTotal(1))
                    .workflow("job", String.class, String.class, (ctx, name) -> {
                        ctx.step("one", () -> gauge.work(sim, name + " one", Duration.ofSeconds(1)));
                        ctx.sleep(Duration.ofSeconds(4));
                        ctx.step("two", () -> gauge.work(sim, name + " two", Duration.ofSeconds(1)));
                        return name;
                    }));
            List<WorkflowHandle<String>> handles = start(dormouse, 3);
            handles.forEach(sim::result);
            assertThat(gauge.most).isEqualTo(1);
            assertThat(sim.elapsed()).isLessThan(Duration.ofSeconds(10));
        });
    }

    @Test
    void unservedQueueWaitsForANodeThatServesIt() {
        simulate(sim -> {
            Gauge gauge = new Gauge();
            Dormouse starter =
                    sim.open(builder -> builder.workflow("job", String.class, String.class, (ctx, name) -> "not here"));
            WorkflowHandle<String> handle = starter.start("job", "job", IN_QUEUE, String.class, "job");
            sim.advance(Duration.ofHours(1));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.PENDING);
            sim.open(node(sim, gauge, QueueOptions.DEFAULT));
            assertThat(sim.result(handle)).isEqualTo("job");
            sim.advance(Duration.ofSeconds(30));
            WorkflowHandle<String> next = starter.start("job", "next", IN_QUEUE, String.class, "next");
            Duration before = sim.elapsed();
            assertThat(sim.result(next)).isEqualTo("next");
            assertThat(sim.elapsed().minus(before)).isLessThan(Duration.ofSeconds(14));
        });
    }

    @Test
    void queuedRunContinuesAsNewInItsQueueAndIsRetriedThere() {
        simulate(sim -> {
            Gauge gauge = new Gauge();
            Dormouse dormouse = sim.open(builder -> builder.queue("q", QueueOptions.DEFAULT.withMaxTotal(1))
                    .workflow("rounds", Integer.class, String.class, (ctx, left) -> {
                        ctx.step("work", () -> gauge.work(sim, "round " + left, Duration.ofSeconds(1)));
                        if (left > 0) {
                            ctx.continueAsNew(left - 1);
                        }
                        return "done";
                    }));
            WorkflowHandle<String> one = dormouse.start("rounds", "one", IN_QUEUE, String.class, 3);
            WorkflowHandle<String> two = dormouse.start("rounds", "two", IN_QUEUE, String.class, 3);
            assertThat(sim.result(one)).isEqualTo("done");
            assertThat(sim.result(two)).isEqualTo("done");
            assertThat(gauge.most).isEqualTo(1);
            assertThat(gauge.order).hasSize(8);
        });
    }

    @Test
    void badPlacesAndLimitsAreTypedErrors() {
        QueueOptions limits = QueueOptions.DEFAULT;
        assertThat(new Scenario.BadCalls()
                        .add("negative", () -> limits.withMaxPerNode(-1))
                        .add("negative total", () -> limits.withMaxTotal(-1))
                        .add("rate", () -> limits.withRate(0, MINUTE))
                        .add("period", () -> limits.withRate(1, Duration.ZERO))
                        .add("null period", () -> limits.withRatePerKey(1, null))
                        .add("far period", () -> limits.withRate(1, Duration.ofDays(100_000)))
                        .add("null name", () -> StartOptions.DEFAULT.withQueue(null))
                        .add("odd name", () -> StartOptions.DEFAULT.withQueue("a@b"))
                        .add("empty name", () -> StartOptions.DEFAULT.withQueue(""))
                        .add("priority", () -> IN_QUEUE.withPriority(10))
                        .add("priority below", () -> IN_QUEUE.withPriority(-1))
                        .add("priority in no queue", () -> StartOptions.DEFAULT.withPriority(1))
                        .add("key in no queue", () -> ActivityOptions.DEFAULT.withRateKey("k"))
                        .add(
                                "null key",
                                () -> ChildOptions.DEFAULT.withQueue("q").withRateKey(null))
                        .add(
                                "twice",
                                () -> Dormouse.builder().queue("q", limits).queue("q", limits))
                        .add("odd queue", () -> Dormouse.builder().queue("~", limits))
                        .add("null limits", () -> Dormouse.builder().queue("q", null))
                        .unclear())
                .isEmpty();
    }
}
