package dev.dormouse.observe;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.groups.Tuple.tuple;

import dev.dormouse.ActivityOptions;
import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.IdReuse;
import dev.dormouse.Promise;
import dev.dormouse.RetryPolicy;
import dev.dormouse.StartOptions;
import dev.dormouse.TimerPolicy;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.UpdateFailedException;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WaitDescription;
import dev.dormouse.support.Approval;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Descriptions of what a run waits for, and updates that move such waits. */
class WaitsTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static DormouseBuilder sleeper(DormouseBuilder node) {
        return node.workflow("sleep", String.class, Instant.class, (ctx, id) -> {
            ctx.sleep(DAY);
            return ctx.now();
        });
    }

    private static DormouseBuilder waiter(DormouseBuilder node) {
        return node.workflow(
                "wait",
                String.class,
                Boolean.class,
                (ctx, id) -> ctx.waitForSignal("approve", DAY).isPresent());
    }

    /** Returns the instant after {@code time}, in whole microseconds as in stores. */
    private static Instant in(SimulatedDormouse sim, Duration time) {
        return sim.now().plus(time).truncatedTo(ChronoUnit.MICROS);
    }

    private static WaitDescription only(WorkflowHandle<?> handle) {
        List<WaitDescription> waits = handle.waits();
        assertThat(waits).hasSize(1);
        return waits.get(0);
    }

    @Test
    void sleepIsReportedWithItsDeadline() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(WaitsTest::sleeper);
            Instant began = sim.now();
            WorkflowHandle<Instant> handle = dormouse.start("sleep", "s", Instant.class, "x");
            sim.advance(SECOND);
            WaitDescription wait = only(handle);
            assertThat(wait.kind()).isEqualTo(WaitDescription.Kind.SLEEP);
            assertThat(wait.until().orElseThrow())
                    .isBetween(began.plus(DAY), began.plus(DAY).plus(SECOND));
            assertThat(wait.canMove()).isTrue();
        });
    }

    @Test
    void sourceLineOfTheWaitIsReported() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(Approval.class, Approval.Implementation::new));
            Approval approval = dormouse.workflow(Approval.class, "a");
            WorkflowHandle<String> handle = dormouse.start(() -> approval.execute(in(sim, HOUR)));
            sim.advance(SECOND);
            assertThat(only(handle).at())
                    .startsWith("dev.dormouse.support.Approval$Implementation.execute(Approval.java:");
        });
    }

    @Test
    void sleepEndsWhereItWasMoved() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(WaitsTest::sleeper);
            WorkflowHandle<Instant> handle = dormouse.start("sleep", "s", Instant.class, "x");
            sim.advance(SECOND);
            Instant later = in(sim, DAY.plus(HOUR));
            handle.moveWait(only(handle).call(), later, "");
            assertThat(only(handle).until()).contains(later);
            Instant sooner = in(sim, HOUR);
            handle.moveWait(only(handle).call(), sooner, "");
            sim.advance(Duration.ofSeconds(10)); // for a moment it stays in memory, because more may come
            assertThat(handle.describe().wakeAt().orElseThrow()).isEqualTo(sooner);
            assertThat(sim.result(handle)).isBetween(sooner, sooner.plus(SECOND));
            assertThat(handle.waits()).isEmpty();
        });
    }

    @Test
    void instantThatHasPassedEndsItNow() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(WaitsTest::sleeper);
            WorkflowHandle<Instant> handle = dormouse.start("sleep", "s", Instant.class, "x");
            sim.advance(HOUR);
            Instant now = sim.now();
            handle.moveWait(only(handle).call(), Instant.EPOCH, "");
            assertThat(sim.result(handle)).isBetween(now, now.plus(SECOND));
        });
    }

    @Test
    void whatWasMovedStaysSoOnAnotherNode() {
        simulate(sim -> {
            Dormouse one = sim.open(WaitsTest::sleeper);
            WorkflowHandle<Instant> handle = one.start("sleep", "s", Instant.class, "x");
            sim.advance(SECOND);
            Instant moved = in(sim, HOUR);
            handle.moveWait(only(handle).call(), moved, "");
            sim.kill(one);
            Dormouse two = sim.open(WaitsTest::sleeper);
            WorkflowHandle<Instant> same = two.find("s", Instant.class).orElseThrow();
            assertThat(only(same).until()).contains(moved);
            assertThat(sim.result(same)).isBetween(moved, moved.plus(SECOND));
        });
    }

    @Test
    void nodeThatHasTheCodeReportsAndMovesWaits() {
        simulate(sim -> {
            sim.open(WaitsTest::sleeper);
            Dormouse client = sim.open(DormouseBuilder::anyRemoteWorkflow);
            WorkflowHandle<Instant> handle = client.start("sleep", "s", Instant.class, "x");
            sim.advance(SECOND);
            Instant moved = in(sim, HOUR);
            handle.moveWait(only(handle).call(), moved, "");
            assertThat(sim.result(handle)).isBetween(moved, moved.plus(SECOND));
        });
    }

    @Test
    void waitForASignalIsNamedAndItsDeadlineMoves() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(WaitsTest::waiter);
            WorkflowHandle<Boolean> handle = dormouse.start("wait", "w", Boolean.class, "x");
            sim.advance(SECOND);
            assertThat(only(handle).kind()).isEqualTo(WaitDescription.Kind.SIGNAL);
            assertThat(only(handle).name()).isEqualTo("approve");
            handle.moveWait(only(handle).call(), sim.now().plus(DAY).plus(DAY), "");
            sim.advance(DAY.plus(HOUR));
            handle.signal("approve");
            assertThat(sim.result(handle)).isTrue();

            WorkflowHandle<Boolean> other = dormouse.start("wait", "v", Boolean.class, "x");
            sim.advance(SECOND);
            other.moveWait(only(other).call(), sim.now(), "");
            assertThat(sim.result(other)).isFalse();
        });
    }

    @Test
    void conditionWithoutADeadlineGetsNone() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow("ever", String.class, String.class, (ctx, id) -> {
                ctx.await(() -> false);
                return id;
            }));
            WorkflowHandle<String> handle = dormouse.start("ever", "e", String.class, "x");
            sim.advance(SECOND);
            WaitDescription wait = only(handle);
            assertThat(wait.kind()).isEqualTo(WaitDescription.Kind.CONDITION);
            assertThat(wait.until()).isEmpty();
            assertThat(wait.canMove()).isFalse();
            Throwable refused = catchThrowable(() -> handle.moveWait(wait.call(), sim.now(), ""));
            assertThat(refused).isInstanceOf(UpdateFailedException.class).hasMessageContaining("DM1019");
            assertThat(handle.describe().status().isClosed()).isFalse();
        });
    }

    @Test
    void policyOfANamedTimerHoldsHereToo() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow("timed", String.class, Instant.class, (ctx, id) -> {
                ctx.newUpdatableTimer("deadline", TimerPolicy.ANY.withOnlyLater())
                        .sleepUntil(ctx.now().plus(HOUR));
                return ctx.now();
            }));
            WorkflowHandle<Instant> handle = dormouse.start("timed", "t", Instant.class, "x");
            sim.advance(SECOND);
            WaitDescription wait = only(handle);
            assertThat(wait.kind()).isEqualTo(WaitDescription.Kind.TIMER);
            assertThat(wait.name()).isEqualTo("deadline");
            assertThat(catchThrowable(() -> handle.moveWait(wait.call(), sim.now(), "now!")))
                    .isInstanceOf(UpdateFailedException.class);
            Instant later = in(sim, DAY);
            handle.moveWait(wait.call(), later, "a day more");
            assertThat(sim.result(handle)).isBetween(later, later.plus(SECOND));
        });
    }

    @Test
    void stepInBackOffChildAndEventAreReported() {
        simulate(sim -> {
            Dormouse dormouse =
                    sim.open(node -> waiter(node).workflow("many", String.class, String.class, (ctx, id) -> {
                        Promise<Boolean> child =
                                ctx.child("wait", "child-" + id, ChildOptions.DEFAULT, Boolean.class, "x");
                        Promise<String> event = ctx.async(() ->
                                ctx.waitForEvent("paid", Map.of("id", id), DAY).toString());
                        ctx.step(
                                "charge",
                                ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT
                                        .withMaxInterval(HOUR)
                                        .withInitialInterval(HOUR)
                                        .withJitter(0)),
                                () -> {
                                    throw new IllegalStateException("no money");
                                });
                        return event.get() + child.get();
                    }));
            WorkflowHandle<String> handle = dormouse.start("many", "m", String.class, "x");
            sim.advance(Duration.ofMinutes(1));
            assertThat(handle.waits())
                    .extracting(WaitDescription::kind, WaitDescription::name, WaitDescription::canMove)
                    .containsExactlyInAnyOrder(
                            tuple(WaitDescription.Kind.CHILD, "child-x", false),
                            tuple(WaitDescription.Kind.EVENT, "paid", false),
                            tuple(WaitDescription.Kind.STEP, "charge", true));
            Optional<Instant> again = handle.waits().stream()
                    .filter(wait -> wait.kind() == WaitDescription.Kind.STEP)
                    .findFirst()
                    .orElseThrow()
                    .until();
            assertThat(again.orElseThrow()).isAfter(sim.now().plus(Duration.ofMinutes(58)));
        });
    }

    /** A step whose first attempt fails and whose second attempt, an hour later, executes {@code second}. */
    private static DormouseBuilder charger(DormouseBuilder node, AtomicInteger attempts, Runnable second) {
        return node.workflow("charge", String.class, String.class, (ctx, id) -> {
            ctx.step(
                    "charge",
                    ActivityOptions.DEFAULT
                            .withRetry(RetryPolicy.DEFAULT
                                    .withMaxInterval(HOUR)
                                    .withInitialInterval(HOUR)
                                    .withJitter(0))
                            .withTotalTimeout(DAY.plus(DAY)),
                    () -> {
                        if (attempts.incrementAndGet() == 1) {
                            throw new IllegalStateException("no money");
                        }
                        second.run();
                    });
            return ctx.now().toString();
        });
    }

    @Test
    void nextAttemptIsMadeNowOrLater() {
        for (Duration until : List.of(Duration.ZERO, Duration.ofMinutes(5), DAY)) {
            simulate(sim -> {
                AtomicInteger attempts = new AtomicInteger();
                Dormouse one = sim.open(node -> charger(node, attempts, () -> {}));
                WorkflowHandle<String> handle = one.start("charge", "c", String.class, "x");
                sim.advance(Duration.ofMinutes(1));
                Instant moved = in(sim, until);
                handle.moveWait(only(handle).call(), moved, "the bank is back");
                if (!until.isZero()) {
                    assertThat(only(handle).until()).contains(moved);
                    sim.kill(one);
                    Dormouse two = sim.open(node -> charger(node, attempts, () -> {}));
                    handle = two.find("c", String.class).orElseThrow();
                }
                sim.result(handle);
                assertThat(sim.now()).isBetween(moved, moved.plus(Duration.ofMinutes(1)));
                assertThat(attempts).hasValue(2);
            });
        }
    }

    @Test
    void attemptThatHasBegunIsNotPutOff() {
        simulate(sim -> {
            AtomicInteger attempts = new AtomicInteger();
            Dormouse one = sim.open(node -> charger(node, attempts, () -> sim.advance(DAY)));
            WorkflowHandle<String> handle = one.start("charge", "c", String.class, "x");
            sim.advance(Duration.ofMinutes(61));
            assertThat(attempts).hasValue(2);
            Throwable late = catchThrowable(() -> handle.moveWait(0, in(sim, DAY.plus(DAY)), ""));
            assertThat(late).isInstanceOf(UpdateFailedException.class).hasMessageContaining("has ended");
            sim.kill(one);
            Dormouse two = sim.open(node -> charger(node, attempts, () -> {}));
            Instant now = sim.now();
            sim.result(two.find("c", String.class).orElseThrow());
            assertThat(sim.now()).isBefore(now.plus(HOUR));
            assertThat(attempts).hasValue(3);
        });
    }

    @Test
    void delayedStartIsAWaitToo() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(WaitsTest::waiter);
            WorkflowHandle<Boolean> handle =
                    dormouse.start("wait", "w", StartOptions.DEFAULT.withStartDelay(DAY), Boolean.class, "x");
            WaitDescription wait = only(handle);
            assertThat(wait.kind()).isEqualTo(WaitDescription.Kind.START);
            Instant moved = in(sim, HOUR);
            handle.moveWait(wait.call(), moved, "");
            assertThat(only(handle).until()).contains(moved);
            sim.advance(HOUR.plus(SECOND));
            assertThat(only(handle).kind()).isEqualTo(WaitDescription.Kind.SIGNAL);
            assertClear(
                    catchThrowable(() -> handle.moveWait(WaitDescription.BEGINNING, sim.now(), "")),
                    ErrorCode.TIMER_REFUSED);
        });
    }

    @Test
    void waitOfAnEarlierRunIsNotThatOfTheNext() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(WaitsTest::sleeper);
            WorkflowHandle<Instant> first = dormouse.start("sleep", "s", Instant.class, "x");
            sim.advance(SECOND);
            int call = only(first).call();
            first.terminate("enough");
            StartOptions anew = StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW);
            WorkflowHandle<Instant> second = dormouse.start("sleep", "s", anew, Instant.class, "x");
            sim.advance(SECOND);
            WaitDescription wait = only(second);
            assertThat(wait.call()).isEqualTo(call);
            assertThat(catchThrowable(() -> first.moveWait(call, sim.now(), "")))
                    .isInstanceOf(UpdateFailedException.class)
                    .hasMessageContaining("DM1019");
            assertThat(only(second).until()).isEqualTo(wait.until());
        });
    }

    @Test
    void delayedStartOfTheNextRunIsNotThatOfAnEarlierOne() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(WaitsTest::sleeper);
            WorkflowHandle<Instant> first = dormouse.start("sleep", "s", Instant.class, "x");
            sim.advance(SECOND);
            first.terminate("enough");
            StartOptions later =
                    StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW).withStartDelay(DAY);
            WorkflowHandle<Instant> second = dormouse.start("sleep", "s", later, Instant.class, "x");
            WaitDescription wait = only(second);
            assertClear(
                    catchThrowable(() -> first.moveWait(WaitDescription.BEGINNING, sim.now(), "")),
                    ErrorCode.TIMER_REFUSED);
            assertThat(only(second).until()).isEqualTo(wait.until());
        });
    }

    @Test
    void whatWasMovedStaysSoInARunThatIsResetToLaterThanThat() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(WaitsTest::sleeper);
            WorkflowHandle<Instant> handle = dormouse.start("sleep", "s", Instant.class, "x");
            sim.advance(SECOND);
            Instant moved = in(sim, DAY.plus(DAY));
            handle.moveWait(only(handle).call(), moved, "");
            sim.advance(Duration.ofSeconds(10));
            WorkflowHandle<Instant> again = handle.reset(handle.history().size());
            sim.advance(SECOND);
            assertThat(only(again).until()).contains(moved);
            Instant sooner = in(sim, HOUR);
            again.moveWait(only(again).call(), sooner, "");
            assertThat(sim.result(again)).isBetween(sooner, sooner.plus(SECOND));
        });
    }

    @Test
    void badCallsAreRefusedAndChangeNothing() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(WaitsTest::sleeper);
            WorkflowHandle<Instant> handle = dormouse.start("sleep", "s", Instant.class, "x");
            sim.advance(SECOND);
            assertThat(catchThrowable(() -> handle.moveWait(99, sim.now(), "")))
                    .isInstanceOf(UpdateFailedException.class);
            assertClear(catchThrowable(() -> handle.moveWait(0, null, "")), ErrorCode.BAD_ARGUMENT);
            assertClear(catchThrowable(() -> handle.moveWait(0, Instant.MAX, "")), ErrorCode.INSTANT_OUT_OF_RANGE);
            handle.terminate("enough");
            assertThat(handle.waits()).isEmpty();
            assertClear(catchThrowable(() -> handle.moveWait(0, sim.now(), "")), ErrorCode.RUN_CLOSED);
            assertThat(handle.describe().status()).isEqualTo(RunStatus.TERMINATED);
        });
    }
}
