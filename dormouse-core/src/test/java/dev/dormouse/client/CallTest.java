package dev.dormouse.client;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Direct calls of a stub's workflow method, which start a run and wait for its result. */
@Timeout(60)
class CallTest {
    private static final Duration HOUR = Duration.ofHours(1);

    /** A workflow that is called. */
    @WorkflowInterface
    public interface Echo {
        @WorkflowMethod
        String echo(String text);
    }

    private static Dormouse open(SimulatedDormouse sim, Supplier<Echo> code) {
        return sim.open(node -> SimulatedDormouse.echo(node).workflow(Echo.class, code));
    }

    private static Supplier<Echo> stepping(SimulatedDormouse sim) {
        return () -> text -> Workflow.step("step", String.class, () -> {
            sim.log(text);
            return text + "!";
        });
    }

    private static String call(Dormouse node, String id, String text) {
        return node.workflow(Echo.class, id).echo(text);
    }

    @Test
    void resultOfANewRunAndOfOneThatIsThere() {
        simulate(sim -> {
            Dormouse node = open(sim, stepping(sim));
            assertThat(call(node, "a", "x")).isEqualTo("x!");
            assertThat(call(node, "a", "y")).isEqualTo("x!");
            assertThat(sim.log()).containsExactly("x");
        });
    }

    @Test
    void manyAtOnceEachGetTheirOwn() {
        simulate(sim -> {
            Dormouse node = open(sim, stepping(sim));
            List<String> results = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                int number = i;
                sim.inBackground(() -> results.add(call(node, "w" + number % 40, "x" + number % 40)));
            }
            sim.await("all", () -> results.size() == 50);
            assertThat(sim.log()).hasSize(40).doesNotHaveDuplicates();
            assertThat(results).allMatch(result -> result.matches("x\\d+!"));
            sim.assertStillWorks(node);
        });
    }

    @Test
    void takenIdIsRefusedWhereThatIsWanted() {
        simulate(sim -> {
            Dormouse node = open(sim, stepping(sim));
            call(node, "a", "x");
            StartOptions once = StartOptions.DEFAULT.withIdReuse(IdReuse.REJECT);
            Echo echo = node.workflow(Echo.class, "a", once);
            assertClear(catchThrowable(() -> echo.echo("y")), ErrorCode.WORKFLOW_ID_TAKEN);
            StartOptions anew = StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW);
            assertThat(node.workflow(Echo.class, "a", anew).echo("z")).isEqualTo("z!");
        });
    }

    @Test
    void failureLongSleepDelayAndContinuationAreReportedAsUsual() {
        simulate(sim -> {
            Dormouse node = open(sim, () -> text -> {
                if (text.equals("fail")) {
                    throw new IllegalStateException("on purpose");
                }
                Workflow.sleep(HOUR);
                if (text.equals("first")) {
                    Workflow.continueAsNew("second");
                }
                return text;
            });
            assertThat(catchThrowable(() -> call(node, "f", "fail"))).hasMessageContaining("on purpose");
            assertThat(call(node, "s", "slept")).isEqualTo("slept");
            assertThat(call(node, "c", "first")).isEqualTo("second");
            StartOptions later = StartOptions.DEFAULT.withStartDelay(HOUR);
            assertThat(node.workflow(Echo.class, "d", later).echo("later")).isEqualTo("later");
            sim.assertStillWorks(node);
        });
    }

    @Test
    void nodeWithoutRoomLeavesTheRunToOtherNodesOrToLater() {
        simulate(sim -> {
            Dormouse node = sim.open(builder -> builder.workflow(Echo.class, () -> text -> {
                        Workflow.step("long", () -> sim.advance(Duration.ofSeconds(10)));
                        return text;
                    })
                    .maxExecuting(2));
            List<String> results = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                int number = i;
                sim.inBackground(() -> results.add(call(node, "w" + number, "x" + number)));
            }
            sim.await("all", () -> results.size() == 6);
            assertThat(results).containsExactlyInAnyOrder("x0", "x1", "x2", "x3", "x4", "x5");
        });
    }

    @Test
    void callsDuringALongOutageFailAndNoSlotIsLost() {
        simulate(sim -> {
            Dormouse node = sim.open(
                    FaultProfile.CALM,
                    builder -> SimulatedDormouse.echo(builder)
                            .workflow(Echo.class, stepping(sim))
                            .maxExecuting(2));
            sim.behave(node, FaultProfile.CALM.withUnknown(1));
            for (int i = 0; i < 5; i++) {
                String id = "w" + i;
                assertClear(catchThrowable(() -> call(node, id, "x")), ErrorCode.STORE_UNAVAILABLE);
            }
            sim.behave(node, FaultProfile.CALM);
            sim.advance(Duration.ofMinutes(2));
            for (int i = 0; i < 5; i++) {
                assertThat(call(node, "w" + i, "x")).isEqualTo("x!");
            }
            sim.assertStillWorks(node);
        });
    }

    /** The start succeeds, its response is lost, and a client terminates the run before the start is repeated. */
    @Test
    void endThatIsKnownBeforeTheStartIsAnsweredLosesNoPlace() {
        simulate(sim -> {
            Dormouse node = sim.open(
                    FaultProfile.CALM,
                    builder -> builder.workflow(Echo.class, stepping(sim)).maxExecuting(1));
            List<Throwable> told = new ArrayList<>();
            int terminated = 0;
            for (int i = 0; terminated < 3; i++) {
                String id = "w" + i;
                sim.behave(node, FaultProfile.CALM.withUnknown(1));
                sim.inBackground(() -> told.add(catchThrowable(() -> call(node, id, "x"))));
                sim.advance(Duration.ofSeconds(3));
                sim.behave(node, FaultProfile.CALM);
                terminated += node.find(id, String.class)
                                .filter(run -> run.terminate("enough"))
                                .isPresent()
                        ? 1
                        : 0;
                sim.advance(Duration.ofMinutes(1));
                assertThat(call(node, "after " + id, "y")).isEqualTo("y!");
                assertThat(told).hasSize(i + 1);
            }
        });
    }

    @Test
    void hostileStoreLosesNoCall() {
        simulate(sim -> {
            Dormouse node = open(sim, stepping(sim));
            sim.behave(node, FaultProfile.CALM.withUnknown(0.2).withLocked(0.2));
            for (int i = 0; i < 100; i++) {
                assertThat(callUntilAnswered(node, "w" + i, "x" + i)).isEqualTo("x" + i + "!");
            }
        });
    }

    /** Repeats a call with the same id until the store responds. */
    private static String callUntilAnswered(Dormouse node, String id, String text) {
        while (true) {
            try {
                return call(node, id, text);
            } catch (DormouseException noAnswer) {
                assertThat(noAnswer.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
            }
        }
    }

    @Test
    void closeEndsTheWaitAndTheRunContinuesElsewhere() {
        simulate(sim -> {
            Supplier<Echo> sleeping = () -> text -> {
                Workflow.sleep(HOUR);
                return text;
            };
            Dormouse one = open(sim, sleeping);
            List<Throwable> told = new ArrayList<>();
            sim.inBackground(() -> told.add(catchThrowable(() -> call(one, "a", "x"))));
            sim.advance(Duration.ofMinutes(1));
            one.close();
            sim.await("an answer", () -> told.size() == 1);
            assertClear(told.get(0), ErrorCode.DORMOUSE_CLOSED);
            assertThat(call(open(sim, sleeping), "a", "y")).isEqualTo("x");
        });
    }
}
