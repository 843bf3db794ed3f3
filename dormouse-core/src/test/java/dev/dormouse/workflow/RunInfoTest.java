package dev.dormouse.workflow;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.ActivityOptions;
import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInfo;
import dev.dormouse.WorkflowInit;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.schedule.Interval;
import dev.dormouse.schedule.Schedule;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Information that a run has about itself, and typed ways to reach other runs. */
class RunInfoTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void childKnowsItsParent() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(
                            "child",
                            String.class,
                            String.class,
                            (ctx, in) -> ctx.info()
                                    .parent()
                                    .map(parent -> parent.workflowId() + " " + parent.runId())
                                    .orElse("none"))
                    .workflow(
                            "w",
                            String.class,
                            String.class,
                            (ctx, in) -> ctx.child("child", "c", ChildOptions.DEFAULT, String.class, "")
                                    .get()));
            WorkflowHandle<String> parent = Scenario.start(dormouse);
            assertThat(sim.result(parent)).isEqualTo("w " + parent.runId());
            assertThat(sim.result(dormouse.start("child", "alone", String.class, "")))
                    .isEqualTo("none");
        });
    }

    @Test
    void scheduledRunKnowsItsScheduleAndInstant() {
        simulate(sim -> {
            List<WorkflowInfo> seen = new ArrayList<>();
            Dormouse dormouse = sim.open(node -> node.workflow("w", String.class, String.class, (ctx, in) -> {
                seen.add(ctx.info());
                return "";
            }));
            Instant anchor = sim.now().minus(Duration.ofSeconds(30));
            dormouse.schedules()
                    .create(
                            "night-T1",
                            Schedule.of(new Interval(Duration.ofMinutes(1), anchor))
                                    .withWorkflow("w", ""));
            sim.await("two starts", () -> seen.size() >= 2);
            WorkflowInfo.Scheduled first = seen.get(0).schedule().orElseThrow();
            assertThat(first.id()).isEqualTo("night-T1");
            assertThat(first.scheduledFor()).isEqualTo(anchor.plus(Duration.ofMinutes(1)));
            assertThat(seen.get(0).parent()).isEmpty();
        });
    }

    @Test
    void historyLengthIsTheSameInEveryReplay() {
        Scenario.returnsWhenKilled("true", Duration.ofSeconds(12), sim -> (ctx, input) -> {
            boolean isSame = true;
            for (int i = 0; i < 6; i++) {
                int number = i;
                ctx.sleep(SECOND);
                ctx.signal("w", "to myself", i);
                ctx.waitForSignal(SECOND);
                ctx.step("fails at first", ActivityOptions.DEFAULT, () -> {
                    sim.log("attempt " + number);
                    if (sim.count("attempt " + number) == 1) {
                        throw new IllegalStateException("at first");
                    }
                });
                int length = ctx.info().historyLength();
                isSame &= ctx.step("remember", Integer.class, () -> length) == length;
            }
            return String.valueOf(isSame);
        });
    }

    @Test
    void longHistorySuggestsToContinueAsNew() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.historyLimit(40_000)
                    .workflow("w", Integer.class, String.class, (ctx, round) -> {
                        int steps = 0;
                        while (!ctx.info().isContinueAsNewSuggested()) {
                            ctx.step("s", () -> {});
                            steps++;
                        }
                        if (round == 0) {
                            assertThat(ctx.info().continuedFrom()).isEmpty();
                            return ctx.continueAsNew(1);
                        }
                        return steps + " " + ctx.info().continuedFrom().isPresent();
                    }));
            assertThat(sim.result(dormouse.start("w", "w", String.class, 0))).isEqualTo("5000 true");
        });
    }

    /** A counter that becomes another type. */
    @WorkflowInterface
    public interface Counter {
        @WorkflowMethod
        String count(int number, List<Integer> seen);

        @SignalMethod
        void poke(String by);

        @QueryMethod
        String state();
    }

    @WorkflowInterface
    public interface Report {
        @WorkflowMethod
        String report(List<Integer> seen);
    }

    public static final class CounterWorkflow implements Counter {
        private String state = "new";

        @WorkflowInit
        void init(int number, List<Integer> seen) {
            state = "round " + number;
        }

        @Override
        public String count(int number, List<Integer> seen) {
            Workflow.sleep(SECOND);
            List<Integer> more = new ArrayList<>(seen);
            more.add(number);
            return number < 3
                    ? Workflow.continueAsNew(Counter.class).count(number + 1, more)
                    : Workflow.continueAsNew(Report.class).report(more);
        }

        @Override
        public void poke(String by) {
            state += " poked by " + by;
        }

        @Override
        public String state() {
            return state;
        }
    }

    private static Dormouse counters(SimulatedDormouse sim) {
        return sim.open(node -> node.workflow(Counter.class, CounterWorkflow::new)
                .workflow(Report.class, () -> seen -> "seen " + seen)
                .workflow("other", String.class, String.class, (ctx, in) -> ctx.continueAsNewType("echo2", in + "!"))
                .workflow(
                        "echo2",
                        String.class,
                        String.class,
                        (ctx, in) -> ctx.info().type() + " " + in)
                .workflow("poker", String.class, String.class, (ctx, id) -> {
                    ctx.externalWorkflow(Counter.class, id).poke("the poker");
                    return "";
                })
                .workflow("lost", String.class, String.class, (ctx, in) -> ctx.continueAsNewType("nowhere", in)));
    }

    @Test
    void runContinuesAsAnotherTypeWithACheckedInput() {
        simulate(sim -> {
            Dormouse dormouse = counters(sim);
            Counter stub = dormouse.workflow(Counter.class, "c");
            WorkflowHandle<String> handle = dormouse.start(() -> stub.count(0, List.of()));
            assertThat(sim.result(handle)).isEqualTo("seen [0, 1, 2, 3]");
            assertThat(dormouse.find("c", String.class).orElseThrow().describe().type())
                    .isEqualTo("Report");
        });
    }

    @Test
    void runContinuesAsAnotherTypeByItsName() {
        simulate(sim -> {
            Dormouse dormouse = counters(sim);
            assertThat(sim.result(dormouse.start("other", "o", String.class, "hello")))
                    .isEqualTo("echo2 hello!");
        });
    }

    @Test
    void initMethodSeesTheInputBeforeHandlersRun() {
        simulate(sim -> {
            Dormouse dormouse = counters(sim);
            Counter stub = dormouse.workflow(Counter.class, "c");
            dormouse.signalWithStart(() -> stub.count(3, List.of()), () -> stub.poke("me"));
            assertThat(stub.state()).isEqualTo("round 3 poked by me");
        });
    }

    @Test
    void stubOfAnotherWorkflowSendsSignals() {
        simulate(sim -> {
            Dormouse dormouse = counters(sim);
            Counter stub = dormouse.workflow(Counter.class, "c");
            dormouse.start(() -> stub.count(3, List.of()));
            sim.result(dormouse.start("poker", "p", String.class, "c"));
            sim.await("the signal", () -> stub.state().equals("round 3 poked by the poker"));
        });
    }

    @Test
    void generatedIdsOfChildrenAreTheSameInEveryReplay() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> node.workflow(
                            Report.class, () -> seen -> Workflow.info().workflowId())
                    .workflow("w", String.class, String.class, (ctx, in) -> {
                        String first =
                                ctx.child(Report.class, ChildOptions.DEFAULT).report(List.of());
                        ctx.sleep(Duration.ofMinutes(1));
                        return first + " "
                                + ctx.child(Report.class, ChildOptions.DEFAULT).report(List.of());
                    })
                    .maxParkTime(Duration.ZERO));
            String[] ids = sim.result(Scenario.start(dormouse)).split(" ");
            assertThat(ids).hasSize(2).doesNotHaveDuplicates();
            assertThat(dormouse.find(ids[0], String.class)).isPresent();
        });
    }

    @Test
    void badCallsAreRefusedClearly() {
        Scenario.returns(
                "",
                sim -> (ctx, input) -> new Scenario.BadCalls()
                        .add("no type", () -> ctx.continueAsNewType(null))
                        .add("bad type", () -> ctx.continueAsNewType(" "))
                        .add("no interface", () -> ctx.continueAsNew((Class<?>) null))
                        .add("not an interface", () -> ctx.continueAsNew(String.class))
                        .add(
                                "signal to continue with",
                                () -> ctx.continueAsNew(Counter.class).poke("x"))
                        .add(
                                "in a coroutine",
                                () -> ctx.async(() -> ctx.<String>continueAsNew("x"))
                                        .get())
                        .add("no external type", () -> ctx.externalWorkflow(null, "x"))
                        .add("no external id", () -> ctx.externalWorkflow(Counter.class, null))
                        .add(
                                "start of an external",
                                () -> ctx.externalWorkflow(Counter.class, "x").count(1, List.of()))
                        .add(
                                "query of an external",
                                () -> ctx.externalWorkflow(Counter.class, "x").state())
                        .unclear());
        assertClear(catchThrowable(() -> Workflow.continueAsNew(Counter.class)), ErrorCode.OUTSIDE_WORKFLOW);
    }

    /** Two init methods. */
    public static final class TwoInits implements Report {
        @WorkflowInit
        void first(List<Integer> seen) {}

        @WorkflowInit
        void second(List<Integer> seen) {}

        @Override
        public String report(List<Integer> seen) {
            return "";
        }
    }

    /** An init method with other parameters. */
    public static final class OtherParameters implements Report {
        @WorkflowInit
        void init(String other) {}

        @Override
        public String report(List<Integer> seen) {
            return "";
        }
    }

    @Test
    void badInitMethodIsNamedInTheFailure() {
        simulate(sim -> {
            Dormouse two = sim.open(node -> node.workflow(Report.class, TwoInits::new));
            assertThat(sim.failure(two.start("Report", "a", String.class, List.of())))
                    .hasMessageContaining("Expected the @WorkflowInit method")
                    .hasMessageContaining("there are 2");
        });
        simulate(sim -> {
            Dormouse other = sim.open(node -> node.workflow(Report.class, OtherParameters::new));
            WorkflowHandle<String> run = other.start("Report", "a", String.class, List.of());
            assertThat(sim.failure(run)).hasMessageContaining("to have the parameters of report");
            assertThat(run.describe().status()).isEqualTo(RunStatus.FAILED);
        });
    }
}
