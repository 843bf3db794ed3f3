package dev.dormouse.workflow;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.inspect.HistoryEvent;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.support.Box;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Waits for a condition, with and without a timeout. */
class AwaitTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private static Supplier<Box> code(BiFunction<Box.Open, String, String> body) {
        return () -> new Box.Open() {
            @Override
            public String run(String input) {
                return body.apply(this, input);
            }
        };
    }

    private static Dormouse open(SimulatedDormouse sim, Supplier<Box> code) {
        return sim.open(node -> SimulatedDormouse.echo(node).workflow(Box.class, code));
    }

    private static WorkflowHandle<String> start(Dormouse dormouse, String input) {
        Box box = dormouse.workflow(Box.class, "b");
        return dormouse.start(() -> box.run(input));
    }

    private static List<String> kinds(WorkflowHandle<?> handle) {
        return handle.history().stream().map(HistoryEvent::kind).toList();
    }

    @Test
    void conditionsThatHoldOrDeadlinesThatHavePassedCostNoTimeAndNoTimer() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, code((box, input) -> {
                List<Object> was = new ArrayList<>();
                Instant now = Workflow.now();
                Workflow.await(() -> true);
                was.add(Workflow.await(HOUR, () -> true));
                was.add(Workflow.await(Duration.ZERO, () -> true));
                was.add(Workflow.await(Duration.ofSeconds(Long.MIN_VALUE), () -> true));
                was.add(Workflow.await(now.minusSeconds(1), () -> true));
                was.add(Workflow.await(Instant.MIN, () -> true));
                was.add(Workflow.await(Duration.ZERO, () -> false));
                was.add(Workflow.await(Duration.ofNanos(-1), () -> false));
                was.add(Workflow.await(Duration.ofSeconds(Long.MIN_VALUE), () -> false));
                was.add(Workflow.await(now, () -> false));
                was.add(Workflow.await(now.minusSeconds(1), () -> false));
                was.add(Workflow.await(Instant.EPOCH, () -> false));
                return was + " " + now.equals(Workflow.now());
            }));
            WorkflowHandle<String> handle = start(dormouse, "");
            assertThat(sim.result(handle))
                    .startsWith("[true, true, true, true, true, false, false, false, false, false, false]");
            assertThat(sim.elapsed()).isLessThan(SECOND);
            assertThat(kinds(handle)).doesNotContain("TimerScheduled", "TimerFired");
        });
    }

    @Test
    void verySmallTimesPass() {
        simulate(sim -> {
            Dormouse dormouse = open(
                    sim,
                    code((box, input) -> "" + Workflow.await(Duration.ofNanos(1), () -> false)
                            + Workflow.await(Duration.ofMillis(1), () -> false)));
            assertThat(sim.result(start(dormouse, ""))).isEqualTo("falsefalse");
            assertThat(sim.elapsed()).isLessThan(SECOND);
        });
    }

    @Test
    void timeoutFiresAtTheDeadlineAndIsOneEvent() {
        for (Duration time : List.of(SECOND, SECOND.multipliedBy(5), SECOND.multipliedBy(6), HOUR)) {
            simulate(sim -> {
                Dormouse dormouse = open(sim, code((box, input) -> "" + Workflow.await(time, () -> box.ended)));
                WorkflowHandle<String> handle = start(dormouse, "");
                assertThat(sim.result(handle)).isEqualTo("false");
                List<HistoryEvent> history = handle.history();
                assertThat(Duration.between(history.get(0).at(), history.get(1).at()))
                        .isBetween(time, time.plusMillis(200));
                assertThat(kinds(handle)).containsExactly("RunStarted", "WaitTimedOut", "RunCompleted");
            });
        }
    }

    @Test
    void thousandMetWaitsCostNoTimersAndNoEventsOfTheirOwn() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, code((box, input) -> {
                for (int i = 1; i <= 1_000; i++) {
                    int number = i;
                    assertThat(Workflow.await(HOUR, () -> box.seen.size() >= number))
                            .isTrue();
                }
                return "done";
            }));
            WorkflowHandle<String> handle = start(dormouse, "");
            for (int i = 0; i < 1_000; i++) {
                handle.signal("put", "x");
            }
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(kinds(handle)).containsOnly("RunStarted", "MailReceived", "RunCompleted");
            assertThat(sim.elapsed()).isLessThan(HOUR);
        });
    }

    @Test
    void coroutinesWithDifferentDeadlinesEachHaveTheirOwn() {
        simulate(sim -> {
            Supplier<Box> code = code((box, input) -> {
                Instant begin = Workflow.now();
                List<String> out = new ArrayList<>();
                List<Promise<Boolean>> waits = new ArrayList<>();
                for (int minutes : new int[] {50, 10, 40, 20, 30, 0, 60}) {
                    waits.add(Workflow.async(() -> {
                        boolean met = Workflow.await(
                                begin.plus(Duration.ofMinutes(minutes)), () -> box.seen.contains("" + minutes));
                        long after = Duration.between(begin, Workflow.now()).toMinutes();
                        out.add(minutes + (met ? " met " : " missed ") + after);
                        return met;
                    }));
                }
                Promise.allOf(waits).get();
                return String.join(", ", out);
            });
            Dormouse dormouse = open(sim, code);
            WorkflowHandle<String> handle = start(dormouse, "");
            sim.advance(Duration.ofMinutes(15));
            handle.signal("put", "50");
            handle.signal("put", "10");
            sim.advance(Duration.ofMinutes(10));
            sim.kill(dormouse);
            WorkflowHandle<String> there =
                    open(sim, code).find("b", String.class).orElseThrow();
            assertThat(sim.result(there))
                    .isEqualTo("0 missed 0, 10 missed 10, 50 met 15, 20 missed 20, 30 missed 30, 40 missed 40,"
                            + " 60 missed 60");
        });
    }

    @Test
    void severalDeadlinesOfOneRunPassInOrderEvenWhenItWasDownForAllOfThem() {
        simulate(sim -> {
            Supplier<Box> code = code((box, input) -> {
                List<String> out = new ArrayList<>();
                List<Promise<Boolean>> waits = new ArrayList<>();
                Instant begin = Workflow.now();
                for (int minutes : new int[] {50, 10, 40, 20, 30}) {
                    waits.add(Workflow.async(() -> {
                        boolean met = Workflow.await(
                                begin.plus(Duration.ofMinutes(minutes)), () -> box.seen.contains("" + minutes));
                        out.add(minutes + (met ? " met" : " missed"));
                        return met;
                    }));
                }
                Promise.allOf(waits).get();
                return String.join(", ", out);
            });
            Dormouse first = open(sim, code);
            start(first, "");
            sim.advance(Duration.ofMinutes(5));
            sim.kill(first);
            Dormouse client = sim.open(node -> node.remoteWorkflow(Box.class));
            sim.advance(Duration.ofMinutes(20));
            Box box = client.workflow(Box.class, "b");
            IntStream.of(10, 40, 50).forEach(minutes -> box.put("" + minutes));
            sim.advance(Duration.ofHours(5));
            Dormouse second = open(sim, code);
            WorkflowHandle<String> handle = second.find("b", String.class).orElseThrow();
            assertThat(sim.result(handle)).isEqualTo("10 missed, 20 missed, 40 met, 50 met, 30 missed");
        });
    }

    @Test
    void exceptionOfAConditionReachesTheCodeThatWaits() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, code((box, input) -> {
                Throwable atOnce = catchThrowable(() -> Workflow.await(HOUR, AwaitTest::fail));
                Throwable later = catchThrowable(() -> Workflow.await(() -> !box.seen.isEmpty() && fail()));
                Workflow.sleep(HOUR);
                return atOnce.getMessage() + later.getMessage();
            }));
            WorkflowHandle<String> handle = start(dormouse, "");
            sim.advance(HOUR);
            handle.signal("put", "x");
            assertThat(sim.result(handle)).isEqualTo("nono");
        });
    }

    @Test
    void uncaughtExceptionOfAConditionFailsTheRun() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, code((box, input) -> {
                Workflow.await(HOUR, () -> !box.seen.isEmpty() && fail());
                return "";
            }));
            WorkflowHandle<String> handle = start(dormouse, "");
            sim.advance(Duration.ofMinutes(1));
            handle.signal("put", "x");
            assertThat(sim.failure(handle).getMessage()).contains("IllegalStateException: no");
            sim.assertStillWorks(dormouse);
        });
    }

    private static boolean fail() {
        throw new IllegalStateException("no");
    }

    @Test
    void conditionThatWaitsOrSchedulesIsRefused() {
        List<Supplier<Boolean>> conditions = List.of(
                () -> sleeps(),
                () -> Workflow.await(HOUR, () -> false),
                () -> Workflow.step("s", Boolean.class, () -> true),
                () -> Workflow.newTimer(HOUR).isDone(),
                () -> Workflow.async(() -> true).isDone(),
                () -> Workflow.waitForSignal(HOUR).isPresent(),
                () -> Workflow.randomUuid() == null,
                () -> Workflow.version("x", 1, 2) == 2);
        for (Supplier<Boolean> condition : conditions) {
            simulate(sim -> {
                Dormouse dormouse = open(sim, code((box, input) -> {
                    Workflow.await(condition);
                    return "went through";
                }));
                WorkflowHandle<String> handle = start(dormouse, "");
                WorkflowException failed = sim.failure(handle);
                assertClear(failed.getMessage(), ErrorCode.NOT_ALLOWED_HERE);
                sim.assertStillWorks(dormouse);
            });
        }
    }

    private static boolean sleeps() {
        Workflow.sleep(HOUR);
        return true;
    }

    @Test
    void conditionThatReadsTheClockWithoutADeadlineIsWarnedAbout() {
        Logger logger = (Logger) LoggerFactory.getLogger("dev.dormouse");
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.start();
        logger.addAppender(appender);
        try {
            simulate(sim -> {
                Dormouse dormouse = open(sim, code((box, input) -> {
                    Instant later = Workflow.now().plus(HOUR);
                    Workflow.await(() -> box.ended || Workflow.now().isAfter(later));
                    return "";
                }));
                WorkflowHandle<String> handle = start(dormouse, "");
                sim.advance(SECOND);
                handle.signal("end");
                sim.result(handle);
            });
        } finally {
            logger.detachAppender(appender);
        }
        assertThat(appender.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(text -> text.contains(ErrorCode.CONDITION_READS_CLOCK.label()))
                .isNotEmpty()
                .allSatisfy(text -> assertClear(text, ErrorCode.CONDITION_READS_CLOCK));
    }

    @Test
    void waitTimesOutInTimeWhileAnotherCoroutineIsInALongStep() {
        for (Duration time : List.of(SECOND.multipliedBy(3), SECOND.multipliedBy(20))) {
            simulate(sim -> {
                Dormouse dormouse = open(sim, code((box, input) -> {
                    Instant begin = Workflow.now();
                    Promise<String> slow = Workflow.async(() -> {
                        Box.Open.longStep(sim, "slow", Duration.ofMinutes(5));
                        return "";
                    });
                    boolean met = Workflow.await(time, slow::isDone);
                    return met + " " + Duration.between(begin, Workflow.now()).toSeconds();
                }));
                WorkflowHandle<String> handle = start(dormouse, "");
                assertThat(sim.result(handle)).isEqualTo("false " + time.toSeconds());
                assertThat(sim.elapsed()).isLessThan(time.plusSeconds(5));
            });
        }
    }

    @Test
    void waitWithoutAnEndHasNoAlarm() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, Box.Open::new);
            WorkflowHandle<String> handle = start(dormouse, "");
            sim.awaitStatus(handle, RunStatus.WAITING);
            assertThat(handle.describe().wakeAt()).isEmpty();
            assertThat(handle.describe().wakeReason()).isNotEqualTo(WakeReason.LEASE);
            sim.advance(Duration.ofDays(1));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.WAITING);
            handle.signal("end");
            assertThat(sim.result(handle)).isEmpty();
        });
    }

    @Test
    void deadlineIsTheSameAfterKillsAndReplays() {
        for (Duration time : List.of(SECOND.multipliedBy(4), Duration.ofMinutes(30))) {
            simulate(sim -> {
                Supplier<Box> code = code((box, input) -> "" + Workflow.await(time, () -> box.ended));
                Dormouse dormouse = open(sim, code);
                Instant deadline = sim.now().plus(time);
                start(dormouse, "");
                for (int i = 0; i < 3; i++) {
                    sim.advance(time.dividedBy(5));
                    dormouse.workflow(Box.class, "b").put("x");
                    sim.kill(dormouse);
                    dormouse = open(sim, code);
                }
                WorkflowHandle<String> handle = dormouse.find("b", String.class).orElseThrow();
                assertThat(sim.result(handle)).isEqualTo("false");
                Instant closed = handle.describe().closedAt().orElseThrow();
                boolean isShort = time.compareTo(SECOND.multipliedBy(5)) < 0;
                assertThat(closed).isBetween(deadline, deadline.plusSeconds(isShort ? 30 : 2));
            });
        }
    }
}
