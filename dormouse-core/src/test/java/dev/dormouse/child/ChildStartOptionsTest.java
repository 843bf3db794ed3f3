package dev.dormouse.child;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.ParentClosePolicy;
import dev.dormouse.Promise;
import dev.dormouse.QueueOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Children with a start delay, a timeout, a memo or an id reuse. */
class ChildStartOptionsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private static Dormouse open(SimulatedDormouse sim, WorkflowFunction<String, String> parent) {
        return sim.open(node -> Scenario.with(node, parent)
                .queue("q", QueueOptions.DEFAULT)
                .workflow("other", String.class, String.class, (ctx, input) -> "other " + input)
                .workflow("job", String.class, String.class, (ctx, input) -> {
                    if (input.startsWith("fail")) {
                        throw new IllegalStateException(input);
                    }
                    ctx.sleep(input.equals("long") ? HOUR.multipliedBy(3) : SECOND);
                    return ctx.step("s", String.class, () -> {
                        sim.log("did " + input);
                        return "did " + input;
                    });
                }));
    }

    private static String outcome(Promise<String> promise) {
        try {
            return promise.get();
        } catch (DormouseException problem) {
            return problem.getCause() == null
                    ? problem.getMessage()
                    : problem.getCause().getMessage();
        }
    }

    private static RunDescription describe(Dormouse dormouse, String workflowId) {
        return dormouse.handle(workflowId).describe();
    }

    @Test
    void delayedChildExistsAtOnceAndBeginsLater() {
        ChildOptions delayed = ChildOptions.DEFAULT.withStartDelay(MINUTE).withMemo("why", "test");
        simulate(sim -> {
            Dormouse dormouse = open(
                    sim,
                    (ctx, input) ->
                            ctx.child("job", "c", delayed, String.class, "x").get());
            Instant begin = sim.now().plus(MINUTE);
            WorkflowHandle<String> parent = Scenario.start(dormouse);
            sim.advance(SECOND.multipliedBy(2));
            assertThat(describe(dormouse, "c").status()).isEqualTo(RunStatus.PENDING);
            assertThat(sim.result(parent)).isEqualTo("did x");
            assertThat(describe(dormouse, "c").closedAt().orElseThrow()).isAfterOrEqualTo(begin.plus(SECOND));
            assertThat(Duration.between(begin, sim.now())).isLessThan(SECOND.multipliedBy(5));
            assertThat(describe(dormouse, "c").memo()).isEqualTo(Map.of("why", "test"));
        });
    }

    @Test
    void optionsSurviveKillsAtEveryMoment() {
        ChildOptions options = ChildOptions.DEFAULT
                .withStartDelay(SECOND.multipliedBy(40))
                .withExecutionTimeout(SECOND.multipliedBy(20))
                .withMemo("a", "b");
        Scenario.returnsWhenKilled("did not end", SECOND.multipliedBy(70), sim -> (ctx, input) -> {
            Instant before = ctx.now();
            Promise<String> child = ctx.child("w", "c", options, String.class, "child");
            if (input.equals("child")) {
                ctx.sleep(HOUR);
            }
            assertThat(catchThrowable(child::get)).isNotNull();
            Duration taken = Duration.between(before, ctx.now());
            return taken.compareTo(SECOND.multipliedBy(58)) > 0 && taken.compareTo(SECOND.multipliedBy(150)) < 0
                    ? "did not end"
                    : "ended after " + taken;
        });
    }

    @Test
    void childTimesOutAfterItsBeginAndNotAfterItsRequest() {
        ChildOptions options = ChildOptions.DEFAULT.withStartDelay(HOUR).withExecutionTimeout(HOUR.multipliedBy(2));
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                Instant before = ctx.now();
                String end = outcome(ctx.child("job", "c", options, String.class, "long"));
                return Duration.between(before, ctx.now()).toHours() + " " + end.contains("timed out");
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("3 true");
            assertThat(describe(dormouse, "c").status()).isEqualTo(RunStatus.TIMED_OUT);
        });
    }

    @Test
    void delayedChildThatIsCancelledEndsAtOnce() {
        for (boolean byScope : List.of(false, true)) {
            simulate(sim -> {
                ChildOptions delayed = ChildOptions.DEFAULT.withStartDelay(Duration.ofDays(2));
                Dormouse dormouse = open(sim, (ctx, input) -> {
                    Promise<?>[] child = new Promise<?>[1];
                    var scope = ctx.newCancellationScope(
                            () -> child[0] = ctx.child("job", "c", delayed, String.class, "x"));
                    scope.run();
                    ctx.sleep(MINUTE);
                    if (byScope) {
                        scope.cancel("enough");
                    } else {
                        child[0].cancel();
                    }
                    return catchThrowable(child[0]::get).getMessage();
                });
                assertThat(sim.result(Scenario.start(dormouse))).contains("run cancelled");
                assertThat(sim.elapsed()).isLessThan(HOUR);
                assertThat(describe(dormouse, "c").status()).isEqualTo(RunStatus.CANCELLED);
                assertThat(sim.log()).isEmpty();
            });
        }
    }

    @Test
    void delayedChildFollowsItsParentsEnd() {
        for (ParentClosePolicy policy : ParentClosePolicy.values()) {
            simulate(sim -> {
                ChildOptions delayed = ChildOptions.DEFAULT.withStartDelay(HOUR).withParentClosePolicy(policy);
                Dormouse dormouse = open(sim, (ctx, input) -> {
                    ctx.child("job", "c", delayed, String.class, "x");
                    ctx.sleep(MINUTE);
                    return "left";
                });
                sim.result(Scenario.start(dormouse));
                sim.advance(MINUTE);
                assertThat(describe(dormouse, "c").status())
                        .isEqualTo(
                                switch (policy) {
                                    case TERMINATE -> RunStatus.TERMINATED;
                                    case CANCEL -> RunStatus.CANCELLED;
                                    case ABANDON -> RunStatus.PENDING;
                                });
                sim.advance(HOUR.multipliedBy(2));
                assertThat(sim.count("did x")).isEqualTo(policy == ParentClosePolicy.ABANDON ? 1 : 0);
            });
        }
    }

    @Test
    void detachedChildStartsEvenIfItsParentReturnsAtOnceAndIsKilled() {
        for (long kill : List.of(-1L, 0L, 1L, 2L, 3L, 4L, 6L, 9L, 15L)) {
            simulate(sim -> {
                WorkflowFunction<String, String> code = (ctx, input) -> {
                    ctx.child("job", "c", ChildOptions.detached(), String.class, "x");
                    return "left";
                };
                Dormouse one = open(sim, code);
                Scenario.start(one);
                if (kill >= 0) {
                    sim.advance(Duration.ofMillis(kill));
                    sim.kill(one);
                }
                Dormouse two = open(sim, code);
                assertThat(sim.result(two.find("w", String.class).orElseThrow()))
                        .isEqualTo("left");
                sim.advance(MINUTE);
                assertThat(sim.count("did x")).as("killed after " + kill).isEqualTo(1);
            });
        }
    }

    /** Starts a run under the child's id first, which ends in the given way. */
    private static String reuse(SimulatedDormouse sim, IdReuse reuse, String type, String input) {
        Dormouse dormouse = open(
                sim,
                (ctx, name) ->
                        outcome(ctx.child("job", "c", ChildOptions.DEFAULT.withIdReuse(reuse), String.class, "again")));
        WorkflowHandle<String> before = dormouse.start(type, "c", String.class, input);
        if (input.equals("long")) {
            sim.advance(SECOND);
        } else {
            sim.awaitStatus(before, input.startsWith("fail") ? RunStatus.FAILED : RunStatus.COMPLETED);
        }
        return sim.result(Scenario.start(dormouse)).replaceAll(".*(already|closed|open) .*", "taken");
    }

    @Test
    void usedWorkflowIdIsTreatedAsTheOptionSays() {
        Map<IdReuse, List<String>> expected = Map.of(
                IdReuse.REJECT, List.of("taken", "taken", "taken", "taken"),
                IdReuse.RETURN_CLOSED, List.of("did first", "fail", "taken", "taken"),
                IdReuse.START_UNLESS_COMPLETED, List.of("did first", "did again", "taken", "taken"),
                IdReuse.START_NEW, List.of("did again", "did again", "taken", "did again"));
        expected.forEach((reuse, outcomes) -> {
            simulate(sim -> assertThat(reuse(sim, reuse, "job", "first"))
                    .as("%s", reuse)
                    .isEqualTo(outcomes.get(0)));
            simulate(sim ->
                    assertThat(reuse(sim, reuse, "job", "fail")).as("%s", reuse).isEqualTo(outcomes.get(1)));
            simulate(sim ->
                    assertThat(reuse(sim, reuse, "job", "long")).as("%s", reuse).isEqualTo(outcomes.get(2)));
            simulate(sim ->
                    assertThat(reuse(sim, reuse, "other", "x")).as("%s", reuse).isEqualTo(outcomes.get(3)));
        });
    }

    @Test
    void returnedRunSurvivesKillsAtEveryMoment() {
        Scenario.returnsWhenKilled("did it did it", SECOND.multipliedBy(3), sim -> (ctx, input) -> {
            if (input.equals("it")) {
                ctx.sleep(SECOND);
                return "did it";
            }
            ChildOptions again = ChildOptions.DEFAULT.withIdReuse(IdReuse.RETURN_CLOSED);
            String one = ctx.child("w", "c", again, String.class, "it").get();
            return one + " " + ctx.child("w", "c", again, String.class, "it").get();
        });
    }

    @Test
    void childThatContinuesAsNewIsNotReplacedByALateRepetitionOfItsStart() {
        for (long kill : List.of(0L, 2L, 4L, 6L, 8L, 12L, 20L)) {
            simulate(sim -> {
                WorkflowFunction<String, String> code = (ctx, input) -> {
                    if (!input.isEmpty()) {
                        sim.log(input);
                        return input.length() < 4 ? ctx.continueAsNew(input + "x") : input;
                    }
                    ChildOptions anew = ChildOptions.DEFAULT.withIdReuse(IdReuse.START_NEW);
                    return ctx.child("w", "c", anew, String.class, "x").get();
                };
                Dormouse one = open(sim, code);
                Scenario.start(one);
                sim.advance(Duration.ofMillis(kill));
                sim.kill(one);
                Dormouse two = open(sim, code);
                assertThat(sim.result(two.find("w", String.class).orElseThrow()))
                        .isEqualTo("xxxx");
            });
        }
    }

    @Test
    void resetParentStartsItsDelayedChildAgain() {
        ChildOptions delayed = ChildOptions.DEFAULT.withStartDelay(MINUTE).withExecutionTimeout(HOUR);
        simulate(sim -> {
            Dormouse dormouse = open(
                    sim,
                    (ctx, input) ->
                            ctx.child("job", "c", delayed, String.class, "x").get());
            WorkflowHandle<String> parent = Scenario.start(dormouse);
            sim.result(parent);
            int asked = Scenario.kinds(parent).indexOf("ChildRequested");
            for (int events : new int[] {asked, 1}) {
                WorkflowHandle<String> again =
                        dormouse.find("w", String.class).orElseThrow().reset(events);
                Instant before = sim.now();
                assertThat(sim.result(again)).isEqualTo("did x");
                assertThat(Duration.between(before, sim.now())).isGreaterThan(MINUTE.minusSeconds(2));
            }
            assertThat(sim.count("did x")).isEqualTo(3);
        });
    }

    @Test
    void optionsAreReadAsTheyWereSet() {
        ChildOptions options = ChildOptions.DEFAULT
                .withStartDelay(SECOND)
                .withExecutionTimeout(MINUTE)
                .withIdReuse(IdReuse.START_NEW)
                .withRetry(RetryPolicy.DEFAULT)
                .withMemo("a", "b")
                .withQueue("q");
        assertThat(options.startDelay()).contains(SECOND);
        assertThat(options.executionTimeout()).contains(MINUTE);
        assertThat(options.idReuse()).isEqualTo(IdReuse.START_NEW);
        assertThat(options.retry()).contains(RetryPolicy.DEFAULT);
        assertThat(options.memo()).isEqualTo(Map.of("a", "b"));
        assertThat(options.queue()).contains("q");
        assertThat(options).isEqualTo(options.withMemo("a", "b")).isNotEqualTo(options.withMemo("a", "c"));
        assertThat(options.hashCode()).isEqualTo(options.withMemo("a", "b").hashCode());
        assertThat(options.toString()).contains("START_NEW");
        assertThat(ChildOptions.DEFAULT.idReuse()).isEqualTo(IdReuse.REJECT);
        assertThat(ChildOptions.detached().parentClosePolicy()).isEqualTo(ParentClosePolicy.ABANDON);
    }

    @Test
    void badOptionsAreRefused() {
        ChildOptions options = ChildOptions.DEFAULT;
        List<Runnable> calls = List.of(
                () -> options.withIdReuse(null),
                () -> options.withStartDelay(null),
                () -> options.withExecutionTimeout(null),
                () -> options.withRetry(null),
                () -> options.withMemo(null, ""),
                () -> options.withMemo("", null),
                () -> options.withIdReuse(IdReuse.RETURN_CLOSED).withRetry(RetryPolicy.DEFAULT),
                () -> options.withRetry(RetryPolicy.DEFAULT).withIdReuse(IdReuse.RETURN_CLOSED));
        for (Runnable call : calls) {
            assertClear(catchThrowable(call::run), ErrorCode.BAD_ARGUMENT);
        }
        assertThat(options.withIdReuse(IdReuse.RETURN_CLOSED).withRetry(RetryPolicy.NONE))
                .isNotNull();
        simulate(sim -> {
            Duration endless = Duration.ofSeconds(Long.MAX_VALUE);
            Dormouse dormouse = open(sim, (ctx, input) -> {
                for (ChildOptions late :
                        List.of(options.withStartDelay(endless), options.withExecutionTimeout(endless))) {
                    assertClear(
                            catchThrowable(() -> ctx.child("job", "c", late, String.class, "x")),
                            ErrorCode.INSTANT_OUT_OF_RANGE);
                }
                ChildOptions past = options.withStartDelay(SECOND.negated());
                return ctx.child("job", "c", past, String.class, "x").get();
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("did x");
        });
    }
}
