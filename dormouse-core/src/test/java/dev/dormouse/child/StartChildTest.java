package dev.dormouse.child;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.ChildHandle;
import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.Promise;
import dev.dormouse.RetryPolicy;
import dev.dormouse.SignalMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ChildFailedException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Children whose start a parent waits for. */
class StartChildTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    @WorkflowInterface
    interface Job {
        @WorkflowMethod
        String run(String input);

        @SignalMethod
        void hurry(String why);
    }

    @WorkflowInterface
    interface Count {
        @WorkflowMethod
        int count(int to);
    }

    @WorkflowInterface
    interface Quiet {
        @WorkflowMethod
        void run();
    }

    private static final class JobWorkflow implements Job {
        private String why = "";

        @Override
        public String run(String input) {
            if (!input.equals("at once")) {
                Workflow.await(HOUR, () -> !why.isEmpty());
            }
            return input + why;
        }

        @Override
        public void hurry(String reason) {
            why += reason;
        }
    }

    private static Dormouse open(SimulatedDormouse sim, WorkflowFunction<String, String> parent) {
        return sim.open(node -> Scenario.with(node, parent)
                .workflow(Job.class, JobWorkflow::new)
                .workflow(Count.class, () -> to -> to)
                .workflow(Quiet.class, () -> () -> Workflow.sleep(MINUTE)));
    }

    private static void returns(String expected, WorkflowFunction<String, String> parent) {
        simulate(sim -> {
            Dormouse dormouse = open(sim, parent);
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo(expected);
        });
    }

    @Test
    void parentCanReturnWhenItsChildExists() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                ChildHandle<String> child = ctx.startChild("Job", "c", ChildOptions.detached(), String.class, "x");
                assertThat(child.isDone()).isFalse();
                assertThat(child.started().isDone()).isFalse();
                assertThat(child.workflowId()).isEqualTo("c");
                return "" + child.started().get();
            });
            WorkflowHandle<String> parent = Scenario.start(dormouse);
            String runId = sim.result(parent);
            WorkflowHandle<String> child = dormouse.find("c", String.class).orElseThrow();
            assertThat("" + child.runId()).isEqualTo(runId);
            assertThat(sim.elapsed()).isLessThan(MINUTE);
            child.signal("hurry", "!");
            assertThat(sim.result(child)).isEqualTo("x!");
        });
    }

    @Test
    void stubCallsStartChildrenWithoutWaiting() {
        returns("x! 3 null", (ctx, input) -> {
            Job job = Workflow.child(Job.class, "c");
            Count count = Workflow.child(Count.class);
            Quiet quiet = Workflow.child(Quiet.class);
            ChildHandle<String> one = Workflow.startChild(() -> job.run("x"));
            ChildHandle<Integer> two = Workflow.startChild(() -> count.count(3));
            ChildHandle<Void> three = Workflow.startChild(quiet::run);
            Promise.allOf(one.started(), two.started(), three.started()).get();
            job.hurry("!");
            return one.get() + " " + two.get() + " " + three.get();
        });
    }

    @Test
    void signalsOfTheHandleFollowTheStart() {
        returns("x!?", (ctx, input) -> {
            ChildHandle<String> child = ctx.startChild("Job", "c", ChildOptions.DEFAULT, String.class, "x");
            child.signal("hurry", "!?");
            return child.get();
        });
    }

    @Test
    void refusedStartFailsThePromiseOfTheStartAndOfTheResult() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                ChildHandle<String> child = ctx.startChild("Job", "c", ChildOptions.DEFAULT, String.class, "x");
                Throwable refused = catchThrowable(child.started()::get);
                assertThat(refused).isInstanceOf(ChildFailedException.class);
                assertThat(refused.getCause()).hasMessageContaining("already has a run");
                assertThat(catchThrowable(child::get)).isInstanceOf(ChildFailedException.class);
                return "ok";
            });
            dormouse.start("Job", "c", String.class, "before");
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("ok");
        });
    }

    @Test
    void failureOfAChildThatHasStartedIsNotOneOfItsStart() {
        returns("ok", (ctx, input) -> {
            if (input.equals("child")) {
                throw new IllegalStateException("at once");
            }
            ChildHandle<String> child = ctx.startChild("w", "c", ChildOptions.DEFAULT, String.class, "child");
            assertThat(catchThrowable(child::get)).hasMessageContaining("at once");
            assertThat(child.started().get()).isNotNull();
            return "ok";
        });
    }

    @Test
    void closedRunThatIsReturnedCountsAsStarted() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                ChildOptions closed = ChildOptions.DEFAULT.withIdReuse(IdReuse.RETURN_CLOSED);
                ChildHandle<String> child = ctx.startChild("Job", "c", closed, String.class, "later");
                UUID run = child.started().get();
                return child.get() + " of " + run;
            });
            WorkflowHandle<String> before = dormouse.start("Job", "c", String.class, "at once");
            sim.result(before);
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("at once of " + before.runId());
        });
    }

    @Test
    void delayedChildIsStartedBeforeItBegins() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                ChildOptions later = ChildOptions.DEFAULT.withStartDelay(HOUR);
                ChildHandle<String> child = ctx.startChild("Job", "c", later, String.class, "at once");
                child.started().get();
                Duration taken = Duration.between(ctx.info().startedAt(), ctx.now());
                child.cancel();
                return taken.compareTo(MINUTE) < 0 ? "early" : "late";
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("early");
            sim.advance(MINUTE);
            assertThat(dormouse.handle("c").describe().status()).isIn(RunStatus.CANCELLED, RunStatus.TERMINATED);
        });
    }

    @Test
    void startedIsThatOfTheFirstAttempt() {
        returns("ok", (ctx, input) -> {
            if (input.equals("child")) {
                throw new IllegalStateException("always");
            }
            ChildOptions retried = ChildOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxAttempts(2));
            ChildHandle<String> child = ctx.startChild("w", "c", retried, String.class, "child");
            UUID first = child.started().get();
            assertThat(catchThrowable(child::get)).hasMessageContaining("always");
            assertThat(child.started().get()).isEqualTo(first);
            return "ok";
        });
    }

    @Test
    void startsSurviveKillsAtEveryMoment() {
        Scenario.returnsWhenKilled("started, then true", SECOND.multipliedBy(3), sim -> (ctx, input) -> {
            if (input.equals("child")) {
                return "" + ctx.info().runId();
            }
            ChildHandle<String> child = ctx.startChild("w", "c", ChildOptions.DEFAULT, String.class, "child");
            UUID run = child.started().get();
            ctx.sleep(SECOND);
            return "started, then " + child.get().equals("" + run);
        });
    }

    @Test
    void reportOfTheStartIsNotLostByAKill() {
        WorkflowFunction<String, String> code = (ctx, input) -> {
            ctx.startChild("Job", "c", ChildOptions.detached(), String.class, "takes an hour")
                    .started()
                    .get();
            return "started";
        };
        for (int kill = 0; kill < 24; kill++) {
            int millis = kill;
            simulate(sim -> {
                Dormouse one = open(sim, code);
                Scenario.start(one);
                sim.advance(Duration.ofMillis(millis));
                sim.kill(one);
                Dormouse two = open(sim, code);
                assertThat(sim.result(two.find("w", String.class).orElseThrow()))
                        .isEqualTo("started");
                assertThat(sim.elapsed()).as("killed after " + millis).isLessThan(MINUTE.multipliedBy(2));
            });
        }
    }

    @Test
    void parentCanBeResetToEachEvent() {
        for (int events = 1; events < 8; events++) {
            int shared = events;
            simulate(sim -> {
                Dormouse dormouse = open(sim, (ctx, input) -> {
                    ChildHandle<String> child =
                            ctx.startChild("Job", "c", ChildOptions.DEFAULT, String.class, "at once");
                    child.started().get();
                    ctx.sleep(SECOND);
                    return child.get();
                });
                WorkflowHandle<String> parent = Scenario.start(dormouse);
                sim.result(parent);
                if (shared < parent.history().size()) {
                    Throwable refused = catchThrowable(
                            () -> assertThat(sim.result(parent.reset(shared))).isEqualTo("at once"));
                    if (refused != null) {
                        assertClear(refused, ErrorCode.RESET_REFUSED);
                    }
                }
            });
        }
    }

    @Test
    void badCallsAreRefused() {
        simulate(sim -> {
            Dormouse dormouse = open(sim, (ctx, input) -> {
                Job job = Workflow.child(Job.class, "c");
                List<Runnable> none = List.of(() -> {}, () -> job.hurry("x"));
                for (Runnable call : none) {
                    assertClear(catchThrowable(() -> Workflow.startChild(call)), ErrorCode.BAD_STUB_CALL);
                }
                assertClear(
                        catchThrowable(() -> Workflow.startChild(() -> job.run("x") + job.run("y"))),
                        ErrorCode.BAD_STUB_CALL);
                assertClear(catchThrowable(() -> Workflow.startChild((Runnable) null)), ErrorCode.BAD_ARGUMENT);
                return "ok";
            });
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("ok");
            Job client = dormouse.workflow(Job.class, "d");
            assertClear(catchThrowable(() -> Workflow.startChild(() -> client.run("x"))), ErrorCode.OUTSIDE_WORKFLOW);
        });
    }
}
